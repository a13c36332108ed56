// Objects for tests of workloads.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/rfc3339.h"
#include "base/time.h"
#include "json/parse.h"
#include "json/value.h"
#include "local/workload_plan.h"

namespace berth::local::testing {

inline const Time kNow = Time::from_unix(1'800'000'000);

inline json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  CHECK(value.ok());
  return *std::move(value);
}

inline json::Value pod(std::string_view name, std::string_view phase) {
  using json::Value;
  return Value::object({{"apiVersion", "v1"},
                        {"kind", "Pod"},
                        {"metadata", Value::object({{"name", name}, {"namespace", "ns"}})},
                        {"spec", Value::object()},
                        {"status", Value::object({{"phase", phase}})}});
}

// Bound, running and ready.
inline json::Value ready_pod(std::string_view name, Time since) {
  using json::Value;
  Value object = pod(name, "Running");
  object["spec"]["nodeName"] = "n";
  object["status"]["conditions"] = Value::array({Value::object(
      {{"type", "Ready"}, {"status", "True"}, {"lastTransitionTime", format_seconds(since)}})});
  return object;
}

inline std::vector<const json::Value*> pointers(const std::vector<json::Value>& objects) {
  std::vector<const json::Value*> result;
  for (const json::Value& object : objects) result.push_back(&object);
  return result;
}

// What the plan makes of an object of that kind; null when it leaves it as it is.
inline json::Value after(const WorkloadPlan& plan, Kind kind) {
  for (const ObjectChange& change : plan.changes) {
    if (change.kind == kind && change.before && change.after) return *change.after;
  }
  return {};
}

inline std::vector<json::Value> created(const WorkloadPlan& plan, Kind kind) {
  std::vector<json::Value> objects;
  for (const ObjectChange& change : plan.changes) {
    if (change.kind == kind && !change.before) objects.push_back(*change.after);
  }
  return objects;
}

inline std::vector<std::string> removed(const WorkloadPlan& plan, Kind kind) {
  std::vector<std::string> names;
  for (const ObjectChange& change : plan.changes) {
    if (change.kind == kind && !change.after) {
      names.emplace_back(change.before->find_path({"metadata", "name"})->string_or_empty());
    }
  }
  return names;
}

}  // namespace berth::local::testing
