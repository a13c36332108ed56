// A simulated world for tests of score sources: a hub, a Prometheus that knows one number per
// cluster, and the controller between them.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/time.h"
#include "client/testing/model_server_service.h"
#include "control/testing/model_hub_service.h"
#include "scores/sources/score_source_controller.h"
#include "sim/world.h"

namespace berth::scores::testing {

inline const client::Gvr kSources{"scores.berth.dev", "v1alpha1", "scoresources"};
inline const client::Gvr kClusters{"cluster.open-cluster-management.io", "v1", "managedclusters"};
inline const client::Gvr kDecisions{"cluster.open-cluster-management.io", "v1beta1",
                                    "placementdecisions"};
inline const client::Gvr kSecrets{"", "v1", "secrets"};
inline const client::Gvr kConfigMaps{"", "v1", "configmaps"};
inline const client::Gvr kEvents{"events.k8s.io", "v1", "events"};

// What each cluster's number is, and since when.
struct ModelPrometheus {
  struct Number {
    double value = 0;
    Time sampled = {};
  };

  client::testing::ModelAnswer answer(const client::testing::ModelRequest& request);

  std::map<std::string, Number> numbers;
  std::string error;  // All queries fail with it, unless it is empty.
  int requests = 0;
  std::string last_path;
};

// The clusters oslo and rome are there and selected; nothing runs yet but the hub.
class ScoringByPrometheus : public ::testing::Test {
 protected:
  ScoringByPrometheus();

  void start_prometheus(const std::string& token = "",
                        const std::optional<env::TlsServer>& tls = std::nullopt);
  void start(const ScoreSourceOptions& options = {});

  void apply(const client::Gvr& resource, std::string_view yaml);

  // The smallest source, with a merge patch in YAML.
  void put_source(std::string_view patch = "{}", const std::string& name = "fleet");
  void select(const std::set<std::string>& clusters);

  Time now() { return world_.node("server").clock().wall(world_.now()); }
  void measure(const std::string& cluster, double value);

  // "cpu=12 for 175s", or "none".
  std::string score(const std::string& cluster, const std::string& name = "usage");

  // "True QueriesAnswered every ..."
  std::string condition(std::string_view type, const std::string& source = "monitoring/fleet");

  // "ScoreSource monitoring/fleet Warning QueryFailed", the oldest first.
  std::vector<std::string> events();

  std::size_t count_writes(std::string_view what) const;

  control::testing::ModelHub hub_;
  client::testing::ModelStore unused_;
  ModelPrometheus prometheus_;
  std::vector<std::string> writes_;
  int trouble_ = 0;
  sim::World world_;
};

}  // namespace berth::scores::testing
