// What runs on the machines of clusters that join a hub: the hub's controllers of registration, an
// agent, and the server of a managed cluster as its agent sees it.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/client_config.h"
#include "client/testing/model_server_service.h"
#include "env/env.h"
#include "fleet/registration/cluster_plan.h"
#include "fleet/registration/registration_agent_controller.h"
#include "json/value.h"
#include "suites/simulated_hub.h"

namespace berth::suites {

// The kinds that registration needs on the hub.
std::vector<json::Value> fleet_definitions();

std::shared_ptr<void> run_registration(const env::Env& env, const client::ClientConfig& config,
                                       fleet::HubOptions options);

// The cluster's server, which is on the machine "spoke-CLUSTER".
client::ClientConfig spoke_config(const std::string& cluster);

std::shared_ptr<void> run_agent(env::Env& env, const SimulatedHub& hub, const std::string& cluster,
                                fleet::RegistrationAgent::Listener listener = {});

// What that server says about its health and its version.
std::optional<client::testing::ModelServerOptions::Page> spoke_page(const std::string& path);

}  // namespace berth::suites
