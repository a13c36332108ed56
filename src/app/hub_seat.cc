#include "app/hub_seat.h"

#include <utility>

namespace berth::app {
namespace {

apiserver::ApiServer::World world_of(env::Env& env) {
  return {env.clock, env.loop, env.entropy, env.log, env.metrics};
}

}  // namespace

HubSeat::HubSeat(env::Env& env, store::Store& store, const HubSeatSettings& settings,
                 apiserver::AuditSink audit)
    : env_(env),
      partitions_(settings.clusters.empty() ? nullptr
                                            : std::make_unique<store::Partitions>(env.loop, store)),
      hub_(world_of(env), partitions_ ? partitions_->of("") : store, settings.hub, settings.limits,
           audit),
      router_(hub_),
      server_({env.clock, env.loop}, router_, {.session = settings.http}) {
  for (const auto& [name, facts] : settings.clusters) {
    auto& cluster = clusters_[name];
    cluster = std::make_unique<apiserver::ApiServer>(world_of(env), partitions_->of(name), facts,
                                                     settings.limits, audit);
    router_.add(name, *cluster);
  }
}

void HubSeat::drain(env::Task done) {
  hub_.prepare_to_stop();
  for (const auto& [name, cluster] : clusters_) cluster->prepare_to_stop();
  server_.drain(std::move(done));
}

}  // namespace berth::app
