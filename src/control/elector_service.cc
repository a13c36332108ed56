#include "control/elector_service.h"

#include <utility>

#include "env/random.h"

namespace berth::control {
namespace {

// A write that takes longer than a retry is worth nothing: the next one is due.
client::CallOptions quick(const LeaderElectionOptions& options) {
  return {.timeout = options.renew_deadline, .retry = {.attempts_max = 1}};
}

}  // namespace

ElectorService::ElectorService(const env::Env& env, client::Api& api, LeaderElectionOptions options,
                               LeadershipCallbacks callbacks)
    : env_(env),
      api_(api),
      options_(options),
      callbacks_(std::move(callbacks)),
      elector_(std::move(options), Random(env::new_seed(env.entropy))),
      leading_gauge_(env.metrics.gauge({.name = "leader_election_master_status",
                                        .help = "Whether this process is the leader: 1, or 0.",
                                        .labels = {{"name", options_.lease_name}}})) {}

void ElectorService::start() { follow(elector_.start()); }

bool ElectorService::may_write() const { return elector_.may_write(env_.clock.monotonic()); }

Moment ElectorService::now() const {
  return {.monotonic = env_.clock.monotonic(), .wall = env_.clock.now()};
}

client::ResourcePath ElectorService::path(std::string name) const {
  return {.resource = {.group = "coordination.k8s.io", .version = "v1", .resource = "leases"},
          .ns = options_.lease_namespace,
          .name = std::move(name)};
}

void ElectorService::follow(LeaderElector::Step step) {
  tell();
  if (released_) return;
  if (const auto* wait = std::get_if<LeaderElector::Wait>(&step)) {
    timer_ = env_.loop.at(wait->until, scope_.guard([this] { follow(elector_.on_time(now())); }));
    return;
  }
  auto written = scope_.guard(
      [this](Result<json::Value> lease) { follow(elector_.on_written(std::move(lease), now())); });
  if (std::holds_alternative<LeaderElector::Get>(step)) {
    api_.call(client::get_request(path(options_.lease_name)), quick(options_),
              scope_.guard([this](Result<json::Value> lease) {
                follow(elector_.on_read(std::move(lease), now()));
              }));
  } else if (const auto* create = std::get_if<LeaderElector::Create>(&step)) {
    api_.call(client::create_request(path(""), create->lease, {}), quick(options_),
              std::move(written));
  } else {
    const auto& update = std::get<LeaderElector::Update>(step);
    api_.call(client::update_request(path(options_.lease_name), update.lease, {}), quick(options_),
              std::move(written));
  }
}

// Tells the world when leadership has begun or ended, and watches the moment at which an unanswered
// renewal ends it.
void ElectorService::tell() {
  const bool leading = elector_.leading();
  if (leading) arm_deadline();
  if (std::exchange(told_leading_, leading) == leading) return;
  leading_gauge_.set(leading ? 1 : 0);
  env_.log.info(leading ? "leader.started" : "leader.stopped", {{"lease", options_.lease_name},
                                                                {"identity", options_.identity},
                                                                {"holder", elector_.holder()}});
  (leading ? callbacks_.on_started : callbacks_.on_stopped)();
}

void ElectorService::arm_deadline() {
  deadline_ = env_.loop.at(elector_.leads_until(), scope_.guard([this] {
    elector_.on_deadline(env_.clock.monotonic());
    tell();
  }));
}

void ElectorService::release(env::Task done) {
  released_ = true;
  timer_.cancel();
  const auto update = elector_.release(now());
  tell();
  if (!update) return env_.loop.post(std::move(done));
  api_.call(client::update_request(path(options_.lease_name), update->lease, {}), quick(options_),
            scope_.guard([done = std::move(done)](const Result<json::Value>&) mutable { done(); }));
}

}  // namespace berth::control
