#include "fleet/addons/manifest_options.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "fleet/addons/manifest.h"

namespace berth::fleet {
namespace {

using json::Value;

const Value& target_of(const Value& option) { return api::field(option, "resourceIdentifier"); }

bool is_same_target(const Value& a, const Value& b) {
  return std::ranges::all_of(
      std::initializer_list<std::string_view>{"group", "resource", "namespace", "name"},
      [&](std::string_view name) {
        return api::text_field(target_of(a), name) == api::text_field(target_of(b), name);
      });
}

bool has_path(const Value& rules, const std::string& name) {
  return std::ranges::any_of(rules.elements(), [&](const Value& rule) {
    return std::ranges::any_of(api::elements_field(rule, "jsonPaths"), [&](const Value& path) {
      return api::text_field(path, "name") == name;
    });
  });
}

bool has_type(const Value& rules, std::string_view type) {
  return std::ranges::any_of(
      rules.elements(), [&](const Value& rule) { return api::text_field(rule, "type") == type; });
}

// Each status once, each path name once.
void add_rule(Value& rules, const Value& rule) {
  if (api::text_field(rule, "type") != "JSONPaths") {
    if (!has_type(rules, api::text_field(rule, "type"))) rules.push_back(rule);
    return;
  }
  Value paths = Value::array();
  for (const Value& path : api::elements_field(rule, "jsonPaths")) {
    if (!has_path(rules, api::text_field(path, "name"))) paths.push_back(path);
  }
  if (paths.size() == 0) return;
  rules.push_back(Value::object({{"type", "JSONPaths"}, {"jsonPaths", std::move(paths)}}));
}

void merge(Value& option, const Value& more) {
  for (const json::Member& member : more.members()) {
    if (member.name() == "resourceIdentifier") continue;
    if (member.name() != "feedbackRules") {
      option[member.name()] = member.value;
      continue;
    }
    Value& rules = option["feedbackRules"];
    if (!rules.is_array()) rules = Value::array();
    for (const Value& rule : member.value.elements()) add_rule(rules, rule);
  }
}

Value without_defaults(Value options) {
  for (Value& option : options.elements()) {
    if (api::text_field(option, "feedbackScrapeType") == "Poll") option.erase("feedbackScrapeType");
  }
  return options;
}

}  // namespace

Value well_known_option(const ConfigKind& resource, const ObjectName& object) {
  Value target = Value::object({{"resource", resource.resource}, {"name", object.name}});
  if (!resource.group.empty()) target["group"] = resource.group;
  if (!object.object_namespace.empty()) target["namespace"] = object.object_namespace;
  return Value::object(
      {{"resourceIdentifier", std::move(target)},
       {"feedbackRules", Value::array({Value::object({{"type", "WellKnownStatus"}})})}});
}

Value manifest_options(std::span<const Value> manifests, std::span<const Value> of_template) {
  Value options = Value::array();
  for (const Value& manifest : manifests) {
    const std::string_view resource = workload_resource(manifest);
    if (resource.empty()) continue;
    options.push_back(
        well_known_option({"apps", std::string(resource)}, name_of_manifest(manifest).object));
  }
  for (const Value& more : of_template) {
    const auto same = std::ranges::find_if(
        options.elements(), [&](const Value& option) { return is_same_target(option, more); });
    if (same == options.elements().end()) {
      options.push_back(more);
    } else {
      merge(*same, more);
    }
  }
  return options;
}

bool are_same_options(const Value& stored, const Value& wanted) {
  return without_defaults(stored) == without_defaults(wanted);
}

}  // namespace berth::fleet
