#include "api/kinds/node.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "api/metadata.h"

namespace berth::api {
namespace {

std::vector<Label> read_labels(const json::Value* object) {
  std::vector<Label> labels;
  if (!object) return labels;
  for (const json::Member& label : object->members()) {
    labels.push_back({std::string(label.name()), std::string(label.value.string_or_empty())});
  }
  std::ranges::sort(labels);
  return labels;
}

Result<ResourceList> read_amounts(const json::Value& node, std::string_view field) {
  auto list = ResourceList::from_json(node.find_path({"status", field}));
  if (list.ok()) return list;
  return failure(std::move(list).error().in_context("status." + std::string(field)));
}

}  // namespace

Result<Node> Node::from_json(const json::Value& node) {
  const Metadata metadata(node);
  ASSIGN_OR_RETURN(auto capacity, read_amounts(node, "capacity"));
  ASSIGN_OR_RETURN(auto allocatable, read_amounts(node, "allocatable"));
  const json::Value* unschedulable = node.find_path({"spec", "unschedulable"});
  return Node{.name = std::string(metadata.name()),
              .labels = read_labels(node.find_path({"metadata", "labels"})),
              .unschedulable = unschedulable && unschedulable->as_bool().value_or(false),
              .ready = is_condition_true(node, "Ready"),
              .being_deleted = metadata.is_being_deleted(),
              .taints = read_taints(node.find_path({"spec", "taints"})),
              .capacity = std::move(capacity),
              .allocatable = std::move(allocatable)};
}

}  // namespace berth::api
