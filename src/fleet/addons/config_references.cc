#include "fleet/addons/config_references.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"

namespace berth::fleet {
namespace {

using json::Value;

Value kind_json(const ConfigKind& kind) {
  return Value::object({{"group", kind.group}, {"resource", kind.resource}});
}

ConfigKind kind_of(const Value& reference) {
  return {api::text_field(reference, "group"), api::text_field(reference, "resource")};
}

const Value& desired_of(const Value& reference) { return api::field(reference, "desiredConfig"); }

bool refers_to(const Value& reference, const AddOnConfig& config) {
  return kind_of(reference) == config.kind &&
         read_object_name(desired_of(reference)) == config.object;
}

const Value* find_reference(std::span<const Value> references, const AddOnConfig& config) {
  const auto found = std::ranges::find_if(
      references, [&](const Value& reference) { return refers_to(reference, config); });
  return found == references.end() ? nullptr : &*found;
}

// The hash as it is now, or as it was noted where somebody else keeps it.
AddOnConfig hashed(AddOnConfig config, const Value* known, const ConfigLookup& lookup) {
  if (const auto state = lookup(config.kind, config.object)) {
    config.hash = state->hash;
  } else if (known) {
    config.hash = config_hash_in(desired_of(*known));
  }
  return config;
}

Value default_references(const AddOn& add_on, std::span<const Value> before,
                         const ConfigLookup& lookup) {
  Value references = Value::array();
  for (const AddOnConfig& config : add_on.defaults) {
    Value reference = kind_json(config.kind);
    reference["desiredConfig"] =
        config_hash_json(hashed(config, find_reference(before, config), lookup));
    references.push_back(std::move(reference));
  }
  return references;
}

std::vector<AddOnConfig> configs_of(const AddOn& add_on, const AddOnPlacement& placement) {
  std::vector<AddOnConfig> all;
  AddOnConfigs defaults = replaced_by({}, add_on.defaults);
  for (auto& [kind, configs] : replaced_by(std::move(defaults), placement.configs)) {
    all.insert(all.end(), configs.begin(), configs.end());
  }
  return all;
}

Value progression(const AddOn& add_on, const AddOnPlacement& placement,
                  std::span<const Value> before, const ConfigLookup& lookup) {
  const std::vector<AddOnConfig> configs = configs_of(add_on, placement);
  const auto known = std::ranges::find_if(before, [&](const Value& other) {
    const auto references = api::elements_field(other, "configReferences");
    return read_object_name(other) == placement.placement &&
           std::ranges::all_of(configs, [&](const AddOnConfig& config) {
             return find_reference(references, config) != nullptr;
           });
  });
  const Value old = known == before.end() ? Value::object() : *known;

  Value made = Value::object(
      {{"name", placement.placement.name}, {"namespace", placement.placement.object_namespace}});
  Value references = Value::array();
  for (const AddOnConfig& config : configs) {
    const Value* reference = find_reference(api::elements_field(old, "configReferences"), config);
    Value now = reference ? *reference : kind_json(config.kind);
    now["desiredConfig"] = config_hash_json(hashed(config, reference, lookup));
    references.push_back(std::move(now));
  }
  if (references.size() > 0) made["configReferences"] = std::move(references);
  if (const Value* conditions = old.find("conditions")) made["conditions"] = *conditions;
  return made;
}

void put_list(Value& status, std::string_view name, Value list) {
  if (list.size() == 0) {
    status.erase(name);
  } else {
    status[name] = std::move(list);
  }
}

}  // namespace

Value with_config_references(Value status, const AddOn& add_on, const ConfigLookup& lookup) {
  if (!status.is_object()) status = Value::object();
  put_list(
      status, "defaultconfigReferences",
      default_references(add_on, api::elements_field(status, "defaultconfigReferences"), lookup));
  if (!add_on.is_ours && add_on.install == AddOnInstall::Placements) return status;
  Value progressions = Value::array();
  for (const AddOnPlacement& placement : add_on.placements) {
    progressions.push_back(
        progression(add_on, placement, api::elements_field(status, "installProgressions"), lookup));
  }
  put_list(status, "installProgressions", std::move(progressions));
  return status;
}

std::vector<AddOnConfig> desired_in(std::span<const Value> references) {
  std::vector<AddOnConfig> all;
  for (const Value& reference : references) {
    const Value& desired = desired_of(reference);
    if (!desired.is_object()) continue;
    all.push_back({.kind = kind_of(reference),
                   .object = read_object_name(desired),
                   .hash = config_hash_in(desired)});
  }
  return all;
}

Value with_desired(Value status, const AddOnConfigs& desired) {
  if (!status.is_object()) status = Value::object();
  Value references = Value::array();
  const auto before = api::elements_field(status, "configReferences");
  const auto add = [&](Value reference, const AddOnConfig& config) {
    reference["name"] = config.object.name;
    if (config.object.object_namespace.empty()) {
      reference.erase("namespace");
    } else {
      reference["namespace"] = config.object.object_namespace;
    }
    if (!reference.find("lastObservedGeneration")) reference["lastObservedGeneration"] = 0;
    reference["desiredConfig"] = config_hash_json(config);
    references.push_back(std::move(reference));
  };
  for (const auto& [kind, configs] : desired) {
    std::vector<const AddOnConfig*> fresh;
    for (const AddOnConfig& config : configs) {
      if (!find_reference(before, config)) fresh.push_back(&config);
    }
    for (const Value& reference : before) {
      const auto wanted = std::ranges::find_if(
          configs, [&](const AddOnConfig& config) { return refers_to(reference, config); });
      if (wanted != configs.end()) add(reference, *wanted);
    }
    for (const AddOnConfig* config : fresh) add(kind_json(kind), *config);
  }
  put_list(status, "configReferences", std::move(references));
  return status;
}

Value with_observed(Value status, std::span<const AddOnConfig> own, const ConfigLookup& lookup) {
  Value* references = status.find("configReferences");
  if (!references) return status;
  for (Value& reference : references->elements()) {
    const ObjectName object = read_object_name(desired_of(reference));
    const auto state = lookup(kind_of(reference), object);
    if (!state || state->hash.empty()) continue;
    reference["lastObservedGeneration"] = state->generation;
    const bool is_own = std::ranges::any_of(
        own, [&](const AddOnConfig& config) { return refers_to(reference, config); });
    if (is_own) reference["desiredConfig"]["specHash"] = state->hash;
  }
  return status;
}

Value with_all_applied(Value status) {
  Value* references = status.find("configReferences");
  if (!references) return status;
  for (Value& reference : references->elements()) {
    Value desired = desired_of(reference);
    if (desired.is_object()) reference["lastAppliedConfig"] = std::move(desired);
  }
  return status;
}

}  // namespace berth::fleet
