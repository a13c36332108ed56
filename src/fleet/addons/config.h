// Configurations of an add-on: objects that are referred to from three levels, each of which
// replaces what the level below says about the same kind.

#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/addons/names.h"
#include "json/value.h"

namespace berth::fleet {

struct ConfigKind {
  std::string group;
  std::string resource;

  auto operator<=>(const ConfigKind&) const = default;
};

inline const ConfigKind kAddOnTemplates = {std::string(kAddOnGroup), "addontemplates"};
inline const ConfigKind kAddOnDeploymentConfigs = {std::string(kAddOnGroup),
                                                   "addondeploymentconfigs"};

// Namespace and name of an object; an empty namespace means that it is in none.
struct ObjectName {
  std::string object_namespace = {};
  std::string name = {};

  auto operator<=>(const ObjectName&) const = default;
};

struct AddOnConfig {
  ConfigKind kind;
  ObjectName object;
  std::string hash = {};  // Of what is desired; empty: not known.

  bool operator==(const AddOnConfig&) const = default;
};

using AddOnConfigs = std::map<ConfigKind, std::vector<AddOnConfig>>;

// An object that configures, as it is now.
struct ConfigState {
  std::string hash = {};  // Empty: there is no such object.
  std::int64_t generation = 0;
};

// nullopt: of that kind somebody else keeps the hashes.
using ConfigLookup =
    std::function<std::optional<ConfigState>(const ConfigKind&, const ObjectName&)>;

ObjectName read_object_name(const json::Value& object);

// Reads {group, resource, namespace, name}. nullopt for an empty name, and for the name that stands
// for "supported, but without a default" where objects were converted between API versions.
std::optional<AddOnConfig> read_config(const json::Value& config);
std::vector<AddOnConfig> read_configs(std::span<const json::Value> configs);

// `level` replaces all that `below` has of the kinds that it names. Of two equal references the
// first one stays.
AddOnConfigs replaced_by(AddOnConfigs below, std::span<const AddOnConfig> level);

// {name, namespace, specHash}, as statuses carry it, and back.
json::Value config_hash_json(const AddOnConfig& config);
std::string config_hash_in(const json::Value& desired);

// The annotation of a work that tells with which configurations it was made; empty for none.
std::string config_hash_annotation(std::span<const json::Value> references);

}  // namespace berth::fleet
