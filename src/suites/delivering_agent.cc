// Tested by suites/delivering_test.cc.
#include "suites/delivering_agent.h"

#include <optional>
#include <string>

#include "client/testing/model_server_service.h"
#include "env/random.h"
#include "fleet/registration/names.h"
#include "fleet/work/elected_work_agent_controller.h"

namespace berth::suites {
namespace {

client::ClientConfig server_at(const std::string& host) {
  client::ClientConfig config = client::testing::model_config("http");
  config.server = http::parse_url("http://" + host + ":6443").value();
  config.written_server = "https://hub";
  return config;
}

std::optional<control::LeaderElectionOptions> election(const env::Env& env, bool is_elected) {
  if (!is_elected) return std::nullopt;
  return control::LeaderElectionOptions{.identity = env::new_uuid(env.entropy),
                                        .lease_name = "",
                                        .lease_namespace = std::string(fleet::kAgentNamespace),
                                        .makes_namespace = true};
}

struct Agent {
  Agent(const env::Env& env, const WorkAgentWish& wish)
      : hub(env, server_at("hub"), {}),
        cluster(env, server_at("cluster"), {}),
        agent(env, hub, cluster,
              {.cluster_name = "cluster1", .eviction_grace = wish.eviction_grace},
              election(env, wish.is_elected)) {
    agent.start();
  }

  client::Api hub;
  client::Api cluster;
  fleet::ElectedWorkAgent agent;
};

}  // namespace

std::shared_ptr<void> run_work_agent(const env::Env& env, const WorkAgentWish& wish) {
  return std::make_shared<Agent>(env, wish);
}

}  // namespace berth::suites
