#include "fleet/addons/config.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

constexpr std::string_view kNoDefault = "__reserved_no_default__";

}  // namespace

ObjectName read_object_name(const json::Value& object) {
  return {.object_namespace = api::text_field(object, "namespace"),
          .name = api::text_field(object, "name")};
}

std::optional<AddOnConfig> read_config(const json::Value& config) {
  AddOnConfig read{.kind = {api::text_field(config, "group"), api::text_field(config, "resource")},
                   .object = read_object_name(config)};
  if (read.object.name.empty() || read.object.name == kNoDefault) return std::nullopt;
  return read;
}

std::vector<AddOnConfig> read_configs(std::span<const json::Value> configs) {
  std::vector<AddOnConfig> all;
  for (const json::Value& config : configs) {
    if (auto read = read_config(config)) all.push_back(*std::move(read));
  }
  return all;
}

AddOnConfigs replaced_by(AddOnConfigs below, std::span<const AddOnConfig> level) {
  for (const AddOnConfig& config : level) below[config.kind].clear();
  for (const AddOnConfig& config : level) {
    std::vector<AddOnConfig>& of_kind = below[config.kind];
    const bool is_known = std::ranges::any_of(
        of_kind, [&](const AddOnConfig& other) { return other.object == config.object; });
    if (!is_known) of_kind.push_back(config);
  }
  return below;
}

json::Value config_hash_json(const AddOnConfig& config) {
  json::Value value = json::Value::object({{"name", config.object.name}});
  if (!config.object.object_namespace.empty()) {
    value["namespace"] = config.object.object_namespace;
  }
  value["specHash"] = config.hash;
  return value;
}

std::string config_hash_in(const json::Value& desired) {
  return api::text_field(desired, "specHash");
}

std::string config_hash_annotation(std::span<const json::Value> references) {
  std::map<std::string, std::string> hashes;
  for (const json::Value& reference : references) {
    const json::Value& desired = api::field(reference, "desiredConfig");
    if (!desired.is_object()) continue;
    std::string kind = api::text_field(reference, "resource");
    const std::string group = api::text_field(reference, "group");
    if (!group.empty()) kind += "." + group;
    const ObjectName object = read_object_name(desired);
    hashes[fmt::format("{}/{}/{}", kind, object.object_namespace, object.name)] =
        config_hash_in(desired);
  }
  if (references.empty()) return "";
  json::Value annotation = json::Value::object();
  for (const auto& [object, hash] : hashes) annotation.append_member(object, hash);
  return json::print(annotation, {.html = json::HtmlEscape::Yes});
}

}  // namespace berth::fleet
