#include "apiserver/apply/merge.h"

#include <optional>
#include <utility>
#include <vector>

#include "apiserver/apply/member_pairs.h"
#include "apiserver/apply/merge_lists.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value merge_maps(const Value& live, const Value& applied, const TypeRef& type) {
  std::vector<json::Member> members;
  members.reserve(live.size() + applied.size());
  for_each_pair(&live, &applied, [&](std::string_view name, const Value* left, const Value* right) {
    const auto merged = [&] {
      if (!left) return *right;
      return right ? merge(*left, *right, type.member(name)) : *left;
    };
    members.push_back({Value(name), merged()});
  });
  return Value::take_object(members);
}

std::vector<PathElement> elements_of(const Value& list, const TypeRef& type) {
  std::vector<PathElement> elements;
  elements.reserve(list.size());
  for (const Value& item : list.elements()) {
    elements.push_back(type.element_of(item).value_or(PathElement{}));
  }
  return elements;
}

Value merge_lists(const Value& live, const Value& applied, const TypeRef& type) {
  const std::vector<PathElement> live_elements = elements_of(live, type);
  const std::vector<PathElement> applied_elements = elements_of(applied, type);
  const auto merged = [&](const MergedItem& item) {
    if (!item.applied) return live.elements()[*item.live];
    const Value& wanted = applied.elements()[*item.applied];
    return item.live ? merge(live.elements()[*item.live], wanted, type.item()) : wanted;
  };
  std::vector<Value> items;
  for (const MergedItem& item : merge_order(live_elements, applied_elements)) {
    items.push_back(merged(item));
  }
  return Value::take_array(items);
}

Value remove_from_map(const Value& map, const FieldSet& fields, const TypeRef& type) {
  std::vector<json::Member> members;
  for (const json::Member& member : map.members()) {
    const FieldSet::Node* node = fields.find(PathElement::field(member.name()));
    if (node && node->is_member) continue;
    const bool reaches_in = node && !node->children.is_empty();
    members.push_back({member.key, reaches_in ? remove_fields(member.value, node->children,
                                                              type.member(member.name()))
                                              : member.value});
  }
  return members.empty() ? Value() : Value::take_object(members);
}

Value remove_from_list(const Value& list, const FieldSet& fields, const TypeRef& type) {
  std::vector<Value> items;
  for (const Value& item : list.elements()) {
    const auto element = type.element_of(item);
    const FieldSet::Node* node = element.ok() ? fields.find(*element) : nullptr;
    if (node && node->is_member) continue;
    const bool reaches_in = node && !node->children.is_empty();
    items.push_back(reaches_in ? remove_fields(item, node->children, type.item()) : item);
  }
  return items.empty() ? Value() : Value::take_array(items);
}

}  // namespace

Value merge(const Value& live, const Value& applied, const TypeRef& type) {
  const Shape shape = type.shapes_for(&applied).first();
  if (type.is_atomic(shape)) return applied;
  const json::Kind kind = shape == Shape::Map ? json::Kind::Object : json::Kind::Array;
  const auto is_filled = [&](const Value& value) {
    return value.kind() == kind && value.size() > 0;
  };
  if (!is_filled(live)) return applied;
  if (!is_filled(applied)) return live;  // Nothing is said, so nothing changes.
  return shape == Shape::Map ? merge_maps(live, applied, type) : merge_lists(live, applied, type);
}

Value remove_fields(const Value& value, const FieldSet& fields, const TypeRef& type) {
  const Shape shape = type.shapes_for(&value).first();
  if (shape == Shape::Scalar) return value;
  if (type.is_atomic(shape)) return {};
  return shape == Shape::Map ? remove_from_map(value, fields, type)
                             : remove_from_list(value, fields, type);
}

}  // namespace berth::apiserver
