// Tested by tests/kube/up_test.cc.
#include "app/up/local_cluster.h"

#include <utility>

namespace berth::app {
namespace {

env::Env with_processes(const env::Env& env, env::Processes& processes) {
  return {env.clock, env.loop,    env.network, env.disk, env.entropy,
          env.log,   env.metrics, env.workers, processes};
}

KubeletSettings kubelet_settings(const LocalClusterSettings& settings, const client::Api& carrier) {
  return {.cluster = settings.config,
          .processes = {.image = settings.image, .program = "berth", .folder = settings.folder},
          .makes_pods = true,
          .binds_pods = true,
          .carrier = &carrier};
}

upkeep::UpkeepSettings upkeep_settings(const LocalClusterSettings& settings,
                                       const client::Api& carrier, upkeep::ObjectFeed& feed) {
  return {.ca_pem = settings.authority_pem,
          .sign_token = nullptr,
          .sign_certificate = nullptr,
          .api = {.user_agent = "berth-upkeep", .rate = {.per_second = 0}, .carrier = &carrier},
          .look_period = std::chrono::minutes(10),  // Nothing is aggregated here.
          .feed = &feed};
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

LocalCluster::LocalCluster(const env::Env& env, store::Store& store, LocalClusterSettings settings,
                           std::function<void(const Status&)> ready)
    : processes_(env, settings.agent_arguments),
      env_(with_processes(env, processes_)),
      ready_(std::move(ready)),
      load_settings_(settings.load),
      api_(env_, settings.config, {.user_agent = "berth-up", .rate = {.per_second = 0}}),
      feed_(env.loop, store),
      upkeep_(env_, settings.config, upkeep_settings(settings, api_, feed_)),
      kubelet_(env_, kubelet_settings(settings, api_), tell_end(env, "kubelet", settings.name)),
      agent_(env_, std::move(settings.agent), tell_end(env, "agent", settings.name)) {
  upkeep_.start();
  kubelet_.start();
  if (settings.setup) {
    setup_.emplace(api_, *std::move(settings.setup),
                   [this](const Status& set_up) { begin(set_up); });
  } else {
    env_.loop.post(scope_.guard([this] { begin({}); }));
  }
}

// The agent looks for the way to its hub at once, and the next time only after a while.
void LocalCluster::begin(const Status& set_up) {
  if (set_up.ok()) {
    agent_.start();
    if (load_settings_) load_.emplace(env_, api_, *load_settings_);
  }
  ready_(set_up);
}

}  // namespace berth::app
