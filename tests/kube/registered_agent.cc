#include "kube/registered_agent.h"

#include <utility>

#include "base/check.h"
#include "client/config_service.h"

namespace berth::kube {

RegisteredAgent::RegisteredAgent(Options options)
    : system_({.loops = 1, .workers = 1, .log = {.level = env::Level::Warn}}) {
  env::Env& env = system_.env(0);
  const auto config = client::load_config(
      {.kubeconfig = {.flag = options.cluster.kubeconfig().string()}}, env.disk, env.log);
  CHECK(config.ok());
  runtime::run_on(env.loop, [&] {
    api_ = std::make_unique<client::Api>(env, *config, client::ApiOptions{});
    store_ = std::make_unique<fleet::KubeSecretStore>(
        *api_, fleet::KubeSecretStore::Place{.name = options.secret});
    agent_ = std::make_unique<fleet::RegistrationAgent>(
        env, *api_, *store_,
        fleet::bootstrap_from_file(env.disk, env.loop, options.bootstrap.string()),
        options.settings, fleet::RegistrationAgent::Listener{});
    agent_->start();
  });
}

RegisteredAgent::~RegisteredAgent() {
  runtime::run_on(system_.env(0).loop, [this] {
    agent_.reset();
    store_.reset();
    api_.reset();
  });
}

std::string RegisteredAgent::state() {
  std::string state;
  runtime::run_on(system_.env(0).loop, [&] { state = agent_->state(); });
  return state;
}

}  // namespace berth::kube
