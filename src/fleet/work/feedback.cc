#include "fleet/work/feedback.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/group_version.h"
#include "api/json_path.h"
#include "api/kinds/fields.h"
#include "base/result.h"
#include "fleet/work/names.h"
#include "fleet/work/reasons.h"

namespace berth::fleet {
namespace {

using Path = FeedbackRule::Path;

struct WellKnown {
  std::string_view group;
  std::string_view kind;  // All are of version v1.
  std::vector<Path> paths;
};

const std::vector<WellKnown>& well_known() {
  static const std::vector<WellKnown> table = {
      {"apps",
       "Deployment",
       {{.name = "ReadyReplicas", .path = ".status.readyReplicas"},
        {.name = "Replicas", .path = ".status.replicas"},
        {.name = "AvailableReplicas", .path = ".status.availableReplicas"}}},
      {"apps",
       "DaemonSet",
       {{.name = "NumberReady", .path = ".status.numberReady"},
        {.name = "DesiredNumberScheduled", .path = ".status.desiredNumberScheduled"},
        {.name = "NumberAvailable", .path = ".status.numberAvailable"}}},
      {"batch",
       "Job",
       {{.name = "JobComplete", .path = R"(.status.conditions[?(@.type=="Complete")].status)"},
        {.name = "JobSucceeded", .path = ".status.succeeded"}}},
      {"",
       "Pod",
       {{.name = "PodReady", .path = R"(.status.conditions[?(@.type=="Ready")].status)"},
        {.name = "PodPhase", .path = ".status.phase"}}},
  };
  return table;
}

struct ObjectKind {
  std::string group = {};
  std::string version = {};
  std::string kind = {};
};

ObjectKind kind_of(const json::Value& object) {
  ObjectKind kind{.kind = api::text_field(object, "kind")};
  if (auto version = api::parse_group_version(api::text_field(object, "apiVersion"));
      version.ok()) {
    kind.group = std::move(version->group);
    kind.version = std::move(version->version);
  }
  return kind;
}

// As Go names what it cannot report.
std::string_view go_type(const json::Value& value) {
  if (value.is_object()) return "map[string]interface {}";
  return value.is_array() ? "[]interface {}" : "float64";
}

json::Value named(const std::string& name, std::string_view type, std::string_view member,
                  json::Value value) {
  return json::Value::object(
      {{"name", name},
       {"fieldValue", json::Value::object({{"type", type}, {member, std::move(value)}})}});
}

// Nothing when the object has no such value.
Result<std::optional<json::Value>> value_at(const json::Value& object, const Path& path) {
  const auto parsed = api::JsonPath::parse(path.path);
  if (!parsed.ok()) {
    return failure(Code::Invalid, fmt::format("failed to parse json path {} of {} with error: {}",
                                              path.path, path.name, parsed.error().message));
  }
  const auto found = parsed->find(object);
  if (found.empty() || found[0]->is_null()) return std::optional<json::Value>();
  const json::Value& value = *found[0];
  if (const auto number = value.as_int()) return named(path.name, "Integer", "integer", *number);
  if (const auto text = value.as_string()) return named(path.name, "String", "string", *text);
  if (const auto truth = value.as_bool()) return named(path.name, "Boolean", "boolean", *truth);
  return failure(Code::Invalid, fmt::format("the type {} of the value for {} is not found",
                                            go_type(value), path.name));
}

class Reader {
 public:
  explicit Reader(const json::Value& object) : object_(object), kind_(kind_of(object)) {}

  void read(const FeedbackRule& rule) {
    std::vector<std::string> problems;
    if (rule.type == FeedbackRule::Type::JsonPaths) {
      read_paths(rule.paths, problems);
    } else {
      read_well_known(problems);
    }
    if (!problems.empty()) problems_.push_back(aggregate(problems));
  }

  Feedback result() && {
    if (problems_.empty()) {
      return {std::move(values_), synced(api::ConditionStatus::True, "StatusFeedbackSynced", "")};
    }
    return {std::move(values_),
            synced(api::ConditionStatus::False, "StatusFeedbackSyncFailed",
                   "Sync status feedback failed with error " + aggregate(problems_))};
  }

  static api::Condition synced(api::ConditionStatus status, std::string reason,
                               std::string message) {
    return {.type = std::string(kFeedbackSynced),
            .status = status,
            .reason = std::move(reason),
            .message = std::move(message)};
  }

 private:
  void read_well_known(std::vector<std::string>& problems) {
    const auto found = std::ranges::find_if(well_known(), [&](const WellKnown& known) {
      return known.group == kind_.group && kind_.version == "v1" && known.kind == kind_.kind;
    });
    if (found != well_known().end()) return read_paths(found->paths, problems);
    problems.push_back(
        fmt::format("cannot find the wellknown statuses for resource with gvk {}/{}, Kind={}",
                    kind_.group, kind_.version, kind_.kind));
  }

  void read_paths(const std::vector<Path>& paths, std::vector<std::string>& problems) {
    for (const Path& path : paths) {
      if (!path.version.empty() && path.version != kind_.version) {
        problems.push_back(fmt::format(
            "version set in the path {} is not matched for the related resource", path.name));
        continue;
      }
      auto value = value_at(object_, path);
      if (!value.ok()) {
        problems.push_back(value.error().message);
      } else if (*value) {
        values_.push_back(**std::move(value));
      }
    }
  }

  const json::Value& object_;
  ObjectKind kind_;
  json::Value values_ = json::Value::array();
  std::vector<std::string> problems_;
};

}  // namespace

Feedback read_feedback(const json::Value& object, const std::vector<FeedbackRule>& rules) {
  if (rules.empty()) {
    return {.condition = Reader::synced(api::ConditionStatus::True, "NoStatusFeedbackSynced", "")};
  }
  Reader reader(object);
  for (const FeedbackRule& rule : rules) reader.read(rule);
  return std::move(reader).result();
}

}  // namespace berth::fleet
