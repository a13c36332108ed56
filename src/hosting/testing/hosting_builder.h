// Hosts and requests for tests, in a few words.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "hosting/fleet.h"
#include "hosting/names.h"
#include "json/parse.h"
#include "json/value.h"

namespace berth::hosting::testing {

inline const Time kNow = Time::from_unix(1'800'000'000);

inline json::Value parsed(std::string_view text) { return json::parse(text).value(); }

// The ManagedCluster of a host that is well.
inline json::Value cluster_object(const std::string& name) {
  json::Value object = parsed(R"({"spec":{"hubAcceptsClient":true},"status":{
      "conditions":[{"type":"ManagedClusterConditionAvailable","status":"True"}],
      "clusterClaims":[{"name":"hostingcluster.hypershift.openshift.io","value":"true"}]}})");
  object["metadata"] = json::Value::object({{"name", name}});
  return object;
}

// One without claims that reports `count` hosted clusters just now.
inline Host host(const std::string& name, std::int64_t count = 0) {
  const json::Value cluster = cluster_object(name);
  Host made = read_host({.cluster = cluster}, kNow);
  made.has_ledger = true;
  made.ledger.in_flight_max = 1000;
  made.observation = {.source = Observation::Source::Score, .count = count, .is_live = true};
  made.weigh(kNow);
  return made;
}

// As the server has it; `spec` are further fields as JSON: `"priority":1`.
inline json::Value request_object(const std::string& name, std::string_view spec = "") {
  json::Value object = parsed(fmt::format(
      R"({{"apiVersion":"hosting.berth.dev/v1alpha1","kind":"HostedClusterRequest","spec":{{{}{}
          "payload":{{"hostedCluster":{{"metadata":{{"name":"{}"}},
            "spec":{{"infraID":"{}-x"}}}}}}}}}})",
      spec, spec.empty() ? "" : ",", name, name));
  object["metadata"] = json::Value::object({{"name", name},
                                            {"namespace", "tenant"},
                                            {"uid", "uid-" + name},
                                            {"resourceVersion", "1"},
                                            {"generation", 1},
                                            {"creationTimestamp", format_seconds(kNow)},
                                            {"finalizers", json::Value::array({kFinalizer})}});
  return object;
}

inline HostedClusterRequest request(const std::string& name, std::string_view spec = "") {
  return read_request(request_object(name, spec));
}

}  // namespace berth::hosting::testing
