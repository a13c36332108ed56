#include "control/elector_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "client/edit_service.h"
#include "client/errors.h"
#include "env/random.h"

namespace berth::control {
namespace {

// One try that is never answered leaves time for another one before the deadline.
client::CallOptions quick(const LeaderElectionOptions& options) {
  return {.timeout = std::max(options.retry_period, options.renew_deadline / 3),
          .retry = {.attempts_max = 1}};
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

bool ElectorService::may_write() const {
  return !released_ && elector_.may_write(env_.clock.monotonic());
}

Moment ElectorService::moment() const {
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
    timer_ =
        env_.loop.at(wait->until, scope_.guard([this] { follow(elector_.on_time(moment())); }));
  } else if (const auto* create = std::get_if<LeaderElector::Create>(&step)) {
    write(client::create_request(path(""), create->lease, {}));
  } else if (const auto* update = std::get_if<LeaderElector::Update>(&step)) {
    write(client::update_request(path(options_.lease_name), update->lease, {}));
  } else {
    api_.call(client::get_request(path(options_.lease_name)), quick(options_),
              scope_.guard([this](Result<json::Value> lease) {
                const bool is_absent = !lease.ok() && client::is_not_found(lease.error());
                if (!is_absent) note(lease);
                follow(elector_.on_read(std::move(lease), moment()));
              }));
  }
}

void ElectorService::write(Result<client::RestRequest> request) {
  writing_ = true;
  api_.call(std::move(request), quick(options_), scope_.guard([this](Result<json::Value> lease) {
    writing_ = false;
    const bool lacks_home = !lease.ok() && client::is_not_found(lease.error());
    lacks_home&& options_.makes_namespace ? make_namespace() : note(lease);
    const LeaderElector::Step next = elector_.on_written(std::move(lease), moment());
    released_ ? give_back() : follow(next);
  }));
}

// Whether or not it can be made, the next try shows.
void ElectorService::make_namespace() {
  const json::Value home = json::Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Namespace"},
       {"metadata", json::Value::object({{"name", options_.lease_namespace}})}});
  api_.call(client::create_request({.resource = {"", "v1", "namespaces"}}, home, {}),
            quick(options_), [](const Result<json::Value>&) {});
}

// Whoever cannot reach the lease does nothing at all, which nobody would understand. A lease that
// another one wrote first is no trouble; of a lost connection tells whoever holds it.
void ElectorService::note(const Result<json::Value>& answer) {
  if (answer.ok()) return trouble_.clear();
  const Error& error = answer.error();
  if (client::is_conflict(error) || client::is_already_exists(error)) return;
  trouble_ = error.message;
  if (std::exchange(told_trouble_, trouble_) == trouble_) return;
  const env::Fields fields = {
      {"lease", options_.lease_name}, {"namespace", options_.lease_namespace}, {"error", trouble_}};
  client::network_failure(error) ? env_.log.debug("leader.lease_failed", fields)
                                 : env_.log.warn("leader.lease_failed", fields);
}

// Tells the world when leadership has begun or ended, and watches the moment at which an unanswered
// renewal ends it.
void ElectorService::tell() {
  const bool leading = this->leading();
  if (leading) arm_deadline();
  if (std::exchange(told_leading_, leading) == leading) return;
  if (leading) told_trouble_.clear();
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

// An answer that is still to come says what there is to give back.
void ElectorService::release(env::Task done) {
  released_ = true;
  on_released_ = std::move(done);
  timer_.cancel();
  tell();
  if (!writing_) give_back();
}

// Whatever was written in between may be a renewal of ours whose answer was lost.
void ElectorService::give_back() {
  if (!elector_.release(moment())) return env_.loop.post(scope_.guard(std::move(on_released_)));
  const auto give = [this, alive = scope_.witness()](
                        const json::Value& lease) -> Result<std::optional<json::Value>> {
    if (!alive()) return std::nullopt;
    elector_.on_read(lease, moment());  // What would be next is not done.
    auto update = elector_.release(moment());
    if (!update) return std::nullopt;
    return std::move(update->lease);
  };
  client::edit(api_, {.path = path(options_.lease_name), .change = give, .call = quick(options_)},
               scope_.guard([this](const Result<json::Value>&) { on_released_(); }));
}

}  // namespace berth::control
