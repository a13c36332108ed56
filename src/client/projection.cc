#include "client/projection.h"

#include <utility>
#include <vector>

#include "base/check.h"

namespace berth::client {
namespace {

constexpr std::string_view kElements = "[]";

// The next step of a path, taken off its front.
std::string_view next_step(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  std::size_t end = 0;
  std::string_view step;
  if (path.starts_with(kElements)) {
    step = kElements;
    end = kElements.size();
  } else if (path.starts_with('\'')) {
    const std::size_t close = path.find('\'', 1);
    CHECK(close != std::string_view::npos);
    step = path.substr(1, close - 1);
    end = close + 1;
  } else {
    end = std::min(path.find_first_of(".["), path.size());
    step = path.substr(0, end);
  }
  CHECK(!step.empty());
  path.remove_prefix(end);
  return step;
}

}  // namespace

Projection Projection::everything() { return without({}); }

Projection Projection::without(std::initializer_list<std::string_view> paths) {
  Projection projection(Mode::Drop, paths);
  projection.add("metadata.managedFields");
  projection.add("metadata.annotations.'kubectl.kubernetes.io/last-applied-configuration'");
  return projection;
}

Projection Projection::only(std::initializer_list<std::string_view> paths) {
  Projection projection(Mode::Keep, paths);
  for (const std::string_view path :
       {"apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.uid",
        "metadata.resourceVersion", "metadata.deletionTimestamp"}) {
    projection.add(path);
  }
  return projection;
}

Projection::Projection(Mode mode, std::initializer_list<std::string_view> paths) : mode_(mode) {
  for (const std::string_view path : paths) add(path);
}

void Projection::add(std::string_view path) {
  Node* node = &root_;
  while (!path.empty()) node = &node->children[std::string(next_step(path))];
  node->whole = true;
}

Projection::Share Projection::Place::share_of(std::string_view name) const {
  const auto child = node_->children.find(name);
  const bool keeps = mode_ == Mode::Keep;
  if (child == node_->children.end()) return keeps ? Share::Nothing : Share::Whole;
  if (!child->second.whole) return Share::Part;
  return keeps ? Share::Whole : Share::Nothing;
}

Projection::Place Projection::Place::inside(std::string_view name) const {
  const auto child = node_->children.find(name);
  CHECK(child != node_->children.end() && !child->second.whole);
  return Place(mode_, child->second);
}

std::vector<std::string_view> Projection::Place::named() const {
  std::vector<std::string_view> names;
  for (const auto& [name, child] : node_->children) names.push_back(name);
  return names;
}

json::Value Projection::apply(json::Value object) const {
  if (mode_ == Mode::Keep) return keep(object, root_);
  drop(object, root_);
  return object;
}

void Projection::drop(json::Value& value, const Node& node) {
  for (const auto& [name, child] : node.children) {
    if (name == kElements) {
      for (json::Value& element : value.elements()) drop(element, child);
    } else if (child.whole) {
      if (value.is_object()) value.erase(name);
    } else if (json::Value* member = value.find(name)) {
      drop(*member, child);
    }
  }
}

json::Value Projection::keep(json::Value& value, const Node& node) {
  if (node.whole) return std::move(value);
  if (value.is_array()) {
    const auto elements = node.children.find(kElements);
    if (elements == node.children.end()) return json::Value::array();
    std::vector<json::Value> kept;
    kept.reserve(value.size());
    for (json::Value& element : value.elements()) kept.push_back(keep(element, elements->second));
    return json::Value::take_array(kept);
  }
  if (!value.is_object()) return std::move(value);
  std::vector<json::Member> kept;
  for (const json::Member& member : value.members()) {
    const auto child = node.children.find(member.name());
    if (child == node.children.end()) continue;
    json::Value* inner = value.find(member.name());
    kept.push_back({.key = member.key, .value = keep(*inner, child->second)});
  }
  return json::Value::take_object(kept);
}

}  // namespace berth::client
