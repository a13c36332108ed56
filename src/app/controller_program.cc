// Tested by tests/kube/controllers_test.cc.
#include "app/controller_program.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "placement/debug_service.h"

namespace berth::app {
namespace {

// Events must not be lost in a burst of decisions: three for each.
constexpr control::RecorderLimits kRecorderLimits = {.queue_max = 30'000};

// The lease under which OCM's own controller does the same job.
struct Rival {
  std::string_view controller;
  std::string_view lease;
};
constexpr Rival kRivals[] = {{"placement", "placement-lock"},
                             {"clustersets", "registration-controller-lock"}};

// Who holds the lease now; empty: nobody.
std::string live_holder(const json::Value& lease, Time now) {
  const json::Value& spec = api::field(lease, "spec");
  const std::string holder(api::field(spec, "holderIdentity").string_or_empty());
  const auto renewed = parse_rfc3339(api::field(spec, "renewTime").string_or_empty());
  const auto seconds = api::field(spec, "leaseDurationSeconds").as_int().value_or(0);
  const bool is_live = renewed.ok() && now < *renewed + std::chrono::seconds(seconds);
  return is_live ? holder : "";
}

client::ApiOptions api_options(const ControllerSettings& settings) {
  return {.user_agent = "berth-controllers", .rate = settings.rate};
}

}  // namespace

struct ControllerProgram::Work {
  Work(const env::Env& env, client::Api& api, client::Api& events_api,
       const ControllerSettings& settings, const control::MayWrite& may_write)
      : informers(env, api),
        recorder(env, events_api,
                 {.controller = "placement-controller",
                  .instance = "placement-controller-" + settings.host},
                 kRecorderLimits) {
    if (settings.controllers.contains("clustersets")) {
      sets = std::make_unique<placement::ClusterSetsController>(env, api, informers, may_write);
    }
    if (settings.controllers.contains("placement")) {
      placement = std::make_unique<placement::PlacementController>(env, api, informers, recorder,
                                                                   may_write, settings.placement);
    }
  }

  client::Informers informers;
  control::RecorderService recorder;
  std::unique_ptr<placement::ClusterSetsController> sets;
  std::unique_ptr<placement::PlacementController> placement;
};

ControllerProgram::ControllerProgram(const env::Env& env, ControllerSettings settings, Ended ended)
    : env_(env),
      settings_(std::move(settings)),
      ended_(std::move(ended)),
      api_(env, settings_.hub, api_options(settings_)),
      events_api_(env, settings_.hub, api_options(settings_)),
      operations_({env.clock, env.loop, env.network, env.metrics}) {}

ControllerProgram::~ControllerProgram() = default;

void ControllerProgram::start() {
  operations_.add_check(control::Probe::Ready, {"controllers", [this] { return readiness(); }});
  add_debug_route();
  if (const Status listening = listen(); !listening.ok()) return end(listening);
  settings_.takes_over ? lead() : check_rivals();
}

Status ControllerProgram::listen() {
  std::vector<env::Address> addresses;
  if (settings_.health) addresses.push_back(*settings_.health);
  if (settings_.metrics && settings_.metrics != settings_.health) {
    addresses.push_back(*settings_.metrics);
  }
  for (const env::Address& address : addresses) {
    const auto bound = operations_.listen({.address = address});
    if (!bound.ok()) {
      return failure(bound.error().code,
                     bound.error().message +
                         "; choose another with --health-probe-bind-address and "
                         "--metrics-bind-address, or 0 for none");
    }
    env_.log.info("operations.listening", {{"address", env::to_string(*bound)}});
  }
  return {};
}

void ControllerProgram::add_debug_route() {
  // Only the leader has the picture that the document is made of.
  auto route = placement::debug_route([this] {
    auto& placements = work_->informers.of(resource_of(placement::Watched::Placements));
    auto& clusters = work_->informers.of(resource_of(placement::Watched::Clusters));
    return placement::DebugSource{
        .situation = work_->placement->situation(),
        .find = [&placements](
                    const placement::PlacementKey& key) -> std::shared_ptr<const json::Value> {
          auto object = placements.store().find({key.object_namespace, key.name});
          if (!object) return nullptr;
          return {object, &object->body()};
        },
        .clusters =
            [&clusters] {
              std::vector<std::shared_ptr<const json::Value>> all;
              for (const auto& object : clusters.store().objects()) {
                all.emplace_back(object, &object->body());
              }
              return all;
            },
        .now = env_.clock.now()};
  });
  operations_.add_route(
      std::string(placement::kDebugPath),
      [this, route = std::move(route)](http::ServerRequest request, http::Answer answer) {
        if (work_ && work_->placement) return route(std::move(request), std::move(answer));
        answer.send({.status = 503},
                    http::Body(std::string(R"({"error":"this process does not lead"})")));
      });
}

Status ControllerProgram::readiness() const {
  if (!leading_ && !work_) return failure(Code::ServiceUnavailable, "starting");
  if (!work_) return {};  // A stand-by is ready: another one leads.
  if (work_->sets && !work_->sets->has_synced()) {
    return failure(Code::ServiceUnavailable, "clustersets: reading the hub");
  }
  if (work_->placement && !work_->placement->has_synced()) {
    return failure(Code::ServiceUnavailable, "placement: reading the hub");
  }
  return {};
}

void ControllerProgram::check_rivals() {
  api_.list_all(
      {.resource = {"coordination.k8s.io", "v1", "leases"}}, {},
      scope_.guard([this](const Result<client::WholeList>& leases) { on_leases(leases); }));
}

void ControllerProgram::on_leases(const Result<client::WholeList>& leases) {
  if (!leases.ok()) {
    return end(failure(leases.error().code,
                       "cannot read leases to see whether OCM's controllers run: " +
                           leases.error().message + "; --take-over starts without looking"));
  }
  const bool shares =
      settings_.placement.engine.responsibility == placement::Responsibility::HandedOver;
  for (const Rival& rival : kRivals) {
    if (!settings_.controllers.contains(std::string(rival.controller))) continue;
    if (shares && rival.controller == "placement") continue;
    for (const json::Value& lease : leases->items) {
      const api::ObjectFacts facts = api::read_facts(lease);
      if (facts.name != rival.lease) continue;
      const std::string holder = live_holder(lease, env_.clock.now());
      if (holder.empty()) continue;
      return end(failure(
          Code::Conflict,
          fmt::format(
              "{} holds the lease {}/{}: OCM already does the work of \"{}\" on this hub. "
              "Stop it first, leave \"{}\" out of --controllers, decide only what it leaves "
              "alone with --placements=handed-over, or insist with --take-over",
              holder, facts.object_namespace, facts.name, rival.controller, rival.controller)));
    }
  }
  lead();
}

void ControllerProgram::lead() {
  const auto make = [this](const control::MayWrite& may_write) {
    work_ = std::make_shared<Work>(env_, api_, events_api_, settings_, may_write);
    return work_;
  };
  if (!settings_.election) {
    make([] { return true; });
    return;
  }
  leading_ = std::make_unique<control::LeadingService>(
      env_, api_, *settings_.election,
      [this, make](const control::MayWrite& may_write) -> std::shared_ptr<void> {
        make(may_write);
        // The program holds the work, and the elector's end of it lets go.
        return std::shared_ptr<void>(work_.get(), [this](void*) { work_ = nullptr; });
      },
      [this] { end(failure(Code::Conflict, "leadership was lost")); });
  leading_->start();
}

void ControllerProgram::stop() {
  if (std::exchange(stopping_, true)) return;
  operations_.begin_shutdown();
  auto drain = [this] { operations_.drain(scope_.guard([this] { end({}); })); };
  if (leading_) return leading_->release(scope_.guard(std::move(drain)));
  work_ = nullptr;
  drain();
}

void ControllerProgram::end(const Status& status) {
  if (!ended_) return;
  env_.loop.post(scope_.guard([ended = std::exchange(ended_, nullptr), status] { ended(status); }));
}

}  // namespace berth::app
