#include "apiserver/apply/field_set_of.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace berth::apiserver {
namespace {

using json::Value;
using Node = FieldSet::Node;

// The fields at one place: below it, and whether it is a leaf itself.
struct Fields {
  bool is_leaf = false;
  FieldSet below = {};
};

Fields fields_at(const Value& value, const TypeRef& type);

Fields fields_of_map(const Value& map, const TypeRef& type) {
  std::vector<Node> nodes;
  nodes.reserve(map.size());
  for (const json::Member& member : map.members()) {
    Fields fields = fields_at(member.value, type.member(member.name()));
    const bool is_empty =
        member.value.is_null() || (member.value.is_object() && member.value.size() == 0);
    const bool is_member = fields.is_leaf || is_empty || !type.declares(member.name());
    nodes.push_back({PathElement::field(member.name()), is_member, std::move(fields.below)});
  }
  return {.below = FieldSet::from_nodes(std::move(nodes))};
}

Fields fields_of_list(const Value& list, const TypeRef& type) {
  std::vector<Node> nodes;
  nodes.reserve(list.size());
  for (const Value& item : list.elements()) {
    auto element = type.element_of(item);
    if (!element.ok()) continue;
    nodes.push_back({*std::move(element), true, fields_at(item, type.item()).below});
  }
  std::ranges::sort(nodes, {}, &Node::element);
  // Elements that cannot be told apart are owned together, without their parts.
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i - 1].element != nodes[i].element) continue;
    nodes[i - 1].children = {};
    nodes[i].children = {};
  }
  return {.below = FieldSet::from_nodes(std::move(nodes))};
}

Fields fields_at(const Value& value, const TypeRef& type) {
  const Shape shape = type.shapes_for(&value).first();
  if (type.is_atomic(shape)) return {.is_leaf = true};
  if (shape == Shape::Map) return fields_of_map(value, type);
  return fields_of_list(value, type);
}

// What holds below one step.
TypeRef below(const TypeRef& type, const PathElement& element) {
  return element.is_field() ? type.member(element.name()) : type.item();
}

}  // namespace

FieldSet field_set_of(const Value& value, const TypeRef& type) {
  return fields_at(value, type).below;
}

FieldSet with_declared_fields(FieldSet set, const TypeRef& type) {
  std::vector<Node> nodes = std::move(set).take_nodes();
  for (Node& node : nodes) {
    if (node.children.is_empty()) continue;
    const bool is_declared = node.element.is_field() && type.declares(node.element.name());
    node.is_member = node.is_member || is_declared;
    node.children = with_declared_fields(std::move(node.children), below(type, node.element));
  }
  return FieldSet::from_nodes(std::move(nodes));
}

FieldSet reconciled(FieldSet set, const TypeRef& type) {
  const Shape shape = type.shapes_for(nullptr).first();
  if (shape == Shape::Scalar || (shape == Shape::Map && type.is_free_form_map())) return set;
  std::vector<Node> nodes = std::move(set).take_nodes();
  for (Node& node : nodes) {
    if (node.children.is_empty()) continue;
    if (node.element.is_field() && !type.allows(node.element.name())) continue;
    const TypeRef child = below(type, node.element);
    const Shape child_shape = child.shapes_for(nullptr).first();
    const bool is_free = child_shape == Shape::Map && child.is_free_form_map();
    if (child_shape != Shape::Scalar && !is_free && child.is_atomic(child_shape)) {
      node.is_member = true;
      node.children = {};
    } else {
      node.children = reconciled(std::move(node.children), child);
    }
  }
  return FieldSet::from_nodes(std::move(nodes));
}

}  // namespace berth::apiserver
