// Tested by joining_test.cc.
#include "suites/joining_machines.h"

#include "client/api_service.h"
#include "client/informers_service.h"
#include "control/recorder_service.h"
#include "fleet/registration/clusters_controller.h"
#include "fleet/registration/registration_agent_controller.h"
#include "fleet/registration/renewals_controller.h"
#include "fleet/registration/resources.h"

namespace berth::suites {
namespace {

using client::testing::ModelServerOptions;
using json::Value;

// What runs beside the hub's server.
struct Controllers {
  Controllers(const env::Env& env, const client::ClientConfig& config, fleet::HubOptions options)
      : api(env, config, {.rate = {.per_second = 0}}),
        informers(env, api),
        recorder(env, api, {.controller = "registration-controller", .instance = "hub"}),
        clusters(
            env, api, informers, recorder, [] { return true; }, options),
        renewals(env, api, informers, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  fleet::ClustersController clusters;
  fleet::RenewalsController renewals;
};

// What runs on an agent's machine.
struct Agent {
  Agent(env::Env& env, const SimulatedHub& hub, const std::string& cluster,
        fleet::RegistrationAgent::Listener listener)
      : spoke(env, spoke_config(cluster), {.rate = {.per_second = 0}}),
        store(spoke, {}),
        agent(
            env, spoke, store,
            [&hub, &loop = env.loop](fleet::BootstrapLoaded loaded) {
              loop.post([&hub, loaded = std::move(loaded)]() mutable { loaded(hub.bootstrap()); });
            },
            {.name = {.cluster = cluster, .agent = ""}}, std::move(listener)) {
    agent.start();
  }

  client::Api spoke;
  fleet::KubeSecretStore store;
  fleet::RegistrationAgent agent;
};

}  // namespace

std::vector<Value> fleet_definitions() {
  return {
      plain_definition(fleet::managed_clusters(), "ManagedCluster", KindScope::Cluster),
      plain_definition(fleet::manifest_works(), "ManifestWork", KindScope::Namespaced),
      plain_definition(fleet::managed_cluster_addons(), "ManagedClusterAddOn",
                       KindScope::Namespaced),
      plain_definition(fleet::placement_scores(), "AddOnPlacementScore", KindScope::Namespaced)};
}

std::optional<ModelServerOptions::Page> spoke_page(const std::string& path) {
  if (path == "/livez") return ModelServerOptions::Page{"text/plain", "ok"};
  if (path != "/version") return std::nullopt;
  return ModelServerOptions::Page{"application/json", R"({"gitVersion":"v1.35.4"})"};
}

std::shared_ptr<void> run_registration(const env::Env& env, const client::ClientConfig& config,
                                       fleet::HubOptions options) {
  return std::make_shared<Controllers>(env, config, options);
}

client::ClientConfig spoke_config(const std::string& cluster) {
  client::ClientConfig config = client::testing::model_config("http");
  config.server = http::parse_url("http://spoke-" + cluster + ":6443").value();
  return config;
}

std::shared_ptr<void> run_agent(env::Env& env, const SimulatedHub& hub, const std::string& cluster,
                                fleet::RegistrationAgent::Listener listener) {
  return std::make_shared<Agent>(env, hub, cluster, std::move(listener));
}

}  // namespace berth::suites
