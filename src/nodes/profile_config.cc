#include "nodes/profile_config.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"
#include "nodes/registry.h"
#include "nodes/scheduler_config.h"

namespace berth::nodes {
namespace {

using json::Value;

// What they do, Berth does in its own way.
constexpr std::string_view kBuiltIn[] = {"DefaultBinder", "PrioritySort", "SchedulingGates"};

constexpr std::int64_t kWeightMax = 1'000'000;

template <typename... Parts>
std::unexpected<Error> wrong(const std::string& path, fmt::format_string<Parts...> format,
                             Parts&&... parts) {
  return failure(Code::Invalid, path + ": " + fmt::format(format, std::forward<Parts>(parts)...));
}

std::set<std::string, std::less<>> own_plugins() {
  std::set<std::string, std::less<>> names;
  for (const FilterEntry& entry : filter_registry()) names.emplace(entry.name);
  for (const ScorerEntry& entry : scorer_registry()) names.emplace(entry.name);
  return names;
}

std::string_view own_name(std::string_view name) {
  return name == kForerunnerPlugin ? std::string_view("PodReservation") : name;
}

bool is_built_in(std::string_view name) {
  return std::ranges::find(kBuiltIn, name) != std::end(kBuiltIn);
}

enum class Wish : std::uint8_t { Enable, Disable };

Status check_plugin(std::string_view name, const std::string& path, Wish wish) {
  const auto own = own_plugins();
  if (own.contains(name) || is_built_in(name)) return {};
  if (wish == Wish::Disable && (name == "*" || is_foreign_plugin(name))) return {};
  if (is_foreign_plugin(name)) {
    return wrong(path, "Berth does not have the plugin {} yet", quote(name));
  }
  return wrong(path, "there is no plugin {}; there are {}", quote(name),
               join({own.begin(), own.end()}, ", "));
}

struct Enabled {
  std::string name;
  std::int64_t weight;  // 0: its usual one.
};

// What a profile says about one extension point.
struct PluginSet {
  std::vector<Enabled> enabled = {};
  std::set<std::string, std::less<>> disabled = {};

  bool disables(std::string_view name) const {
    return disabled.contains("*") || disabled.contains(name);
  }
};

Result<PluginSet> read_plugin_set(const Value& set, const std::string& path) {
  RETURN_IF_ERROR(check_members(set, path, {"enabled", "disabled"}));
  PluginSet read;
  std::size_t index = 0;
  for (const Value& plugin : api::elements_field(set, "enabled")) {
    const std::string at = fmt::format("{}.enabled[{}]", path, index++);
    RETURN_IF_ERROR(check_members(plugin, at, {"name", "weight"}));
    const std::string name = api::text_field(plugin, "name");
    RETURN_IF_ERROR(check_plugin(own_name(name), at, Wish::Enable));
    const std::int64_t weight = api::integer_field(plugin, "weight").value_or(0);
    if (weight < 0 || weight > kWeightMax) {
      return wrong(at, "weight must be from 0 to {}", kWeightMax);
    }
    read.enabled.push_back({.name = std::string(own_name(name)), .weight = weight});
  }
  index = 0;
  for (const Value& plugin : api::elements_field(set, "disabled")) {
    const std::string at = fmt::format("{}.disabled[{}]", path, index++);
    RETURN_IF_ERROR(check_members(plugin, at, {"name", "weight"}));
    const std::string name = api::text_field(plugin, "name");
    RETURN_IF_ERROR(check_plugin(own_name(name), at, Wish::Disable));
    read.disabled.emplace(own_name(name));
  }
  return read;
}

// Whether a plugin runs at a point, and the weight that was asked for; nullopt: it does not.
std::optional<std::int64_t> weight_of(std::string_view name, const PluginSet& point,
                                      const PluginSet& everywhere) {
  for (const PluginSet* set : {&point, &everywhere}) {
    for (const Enabled& enabled : set->enabled) {
      if (enabled.name == name) return enabled.weight;
    }
    if (set->disables(name)) return std::nullopt;
  }
  return 0;
}

Result<AllocationOptions> read_strategy(const Value& strategy, const std::string& path) {
  RETURN_IF_ERROR(check_members(strategy, path, {"type", "resources", "requestedToCapacityRatio"}));
  AllocationOptions options;
  const std::string type = api::text_field(strategy, "type");
  if (type == "MostAllocated") {
    options.strategy = AllocationOptions::Strategy::MostAllocated;
  } else if (!type.empty() && type != "LeastAllocated") {
    return wrong(path,
                 "Berth does not have the scoring strategy {}; there are LeastAllocated and "
                 "MostAllocated",
                 quote(type));
  }
  const auto resources = api::elements_field(strategy, "resources");
  if (resources.empty()) return options;
  options.resources.clear();
  for (const Value& resource : resources) {
    const std::int64_t weight = api::integer_field(resource, "weight").value_or(1);
    if (weight < 1 || weight > 100) return wrong(path, "weights of resources are from 1 to 100");
    options.resources.push_back({.name = api::text_field(resource, "name"), .weight = weight});
  }
  return options;
}

Result<PluginOptions> read_plugin_config(const Value& profile, const std::string& path,
                                         std::vector<std::string>& warnings) {
  PluginOptions options;
  std::size_t index = 0;
  for (const Value& config : api::elements_field(profile, "pluginConfig")) {
    const std::string at = fmt::format("{}.pluginConfig[{}]", path, index++);
    RETURN_IF_ERROR(check_members(config, at, {"name", "args"}));
    const std::string name = api::text_field(config, "name");
    RETURN_IF_ERROR(check_plugin(own_name(name), at, Wish::Disable));
    const Value& args = api::field(config, "args");
    if (name == "NodeResourcesFit") {
      RETURN_IF_ERROR(check_members(args, at + ".args", {"apiVersion", "kind", "scoringStrategy"}));
      ASSIGN_OR_RETURN(options.allocation, read_strategy(api::field(args, "scoringStrategy"),
                                                         at + ".args.scoringStrategy"));
      continue;
    }
    const bool says_nothing = std::ranges::all_of(args.members(), [](const json::Member& member) {
      return member.name() == "apiVersion" || member.name() == "kind";
    });
    if (says_nothing) continue;
    if (is_foreign_plugin(name) || name == kForerunnerPlugin) {
      warnings.push_back(fmt::format("{}: the arguments of {} change nothing", at, name));
    } else {
      return wrong(at, "Berth's {} takes no arguments", name);
    }
  }
  return options;
}

}  // namespace

Status check_members(const Value& object, const std::string& path,
                     std::initializer_list<std::string_view> known) {
  if (!object.is_object() && !object.is_null()) return wrong(path, "must be an object");
  for (const json::Member& member : object.members()) {
    if (std::ranges::find(known, member.name()) == known.end()) {
      return wrong(path, "unknown field {}", quote(member.name()));
    }
  }
  return {};
}

Result<Profile> read_profile(const Value& object, const std::string& path,
                             std::vector<std::string>& warnings) {
  RETURN_IF_ERROR(check_members(
      object, path, {"schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"}));
  Profile profile;
  profile.scheduler_name = api::text_field(object, "schedulerName");
  if (profile.scheduler_name.empty()) return wrong(path, "schedulerName is missing");
  const std::int64_t percentage =
      api::integer_field(object, "percentageOfNodesToScore").value_or(0);
  if (percentage < 0 || percentage > 100) {
    return wrong(path, "percentageOfNodesToScore is from 0 to 100");
  }
  profile.percentage_of_nodes_to_score = static_cast<int>(percentage);
  const Value& plugins = api::field(object, "plugins");
  RETURN_IF_ERROR(
      check_members(plugins, path + ".plugins",
                    {"preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore",
                     "score", "reserve", "permit", "preBind", "bind", "postBind", "multiPoint"}));
  std::map<std::string, PluginSet, std::less<>> points;
  for (const json::Member& point : plugins.members()) {
    ASSIGN_OR_RETURN(
        points[std::string(point.name())],
        read_plugin_set(point.value, fmt::format("{}.plugins.{}", path, point.name())));
  }
  ASSIGN_OR_RETURN(const PluginOptions options, read_plugin_config(object, path, warnings));
  for (const FilterEntry& entry : filter_registry()) {
    if (weight_of(entry.name, points["filter"], points["multiPoint"])) {
      profile.filters.push_back(entry.make());
    }
  }
  for (const ScorerEntry& entry : scorer_registry()) {
    const auto weight = weight_of(entry.name, points["score"], points["multiPoint"]);
    if (!weight) continue;
    profile.scorers.push_back(
        {.scorer = entry.make(options), .weight = *weight == 0 ? entry.weight : *weight});
  }
  return profile;
}

}  // namespace berth::nodes
