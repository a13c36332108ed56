// Tested by tests/kube/up_test.cc.
#include "app/up/local_cluster.h"

#include <utility>

namespace berth::app {
namespace {

env::Env with_processes(const env::Env& env, env::Processes& processes) {
  return {env.clock, env.loop,    env.network, env.disk, env.entropy,
          env.log,   env.metrics, env.workers, processes};
}

KubeletSettings kubelet_settings(const LocalClusterSettings& settings) {
  return {.cluster = settings.config,
          .processes = {.image = settings.image, .program = "berth", .folder = settings.folder},
          .makes_pods = true,
          .binds_pods = true};
}

// Nothing in here ends by itself, unless something is very wrong.
auto tell_end(const env::Env& env, const char* what, const std::string& cluster) {
  return [&log = env.log, what, cluster](const Status& status) {
    if (status.ok()) return;
    log.error("up.ended",
              {{"what", what}, {"cluster", cluster}, {"error", status.error().message}});
  };
}

}  // namespace

LocalCluster::LocalCluster(const env::Env& env, LocalClusterSettings settings)
    : processes_(env, settings.agent_arguments),
      env_(with_processes(env, processes_)),
      api_(env_, settings.config, {.user_agent = "berth-up"}),
      upkeep_(
          env_, settings.config,
          {.ca_pem = settings.authority_pem, .sign_token = nullptr, .sign_certificate = nullptr}),
      kubelet_(env_, kubelet_settings(settings), tell_end(env, "kubelet", settings.name)),
      agent_(env_, std::move(settings.agent), tell_end(env, "agent", settings.name)) {
  upkeep_.start();
  kubelet_.start();
  agent_.start();
  if (settings.load) load_.emplace(env_, api_, *settings.load);
}

}  // namespace berth::app
