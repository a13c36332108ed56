// Tested by tests/kube/controllers_test.cc.
#include "app/controller_program.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "fleet/addons/addons_controller.h"
#include "fleet/registration/clusters_controller.h"
#include "fleet/registration/renewals_controller.h"
#include "hosting/hub_hosting_controller.h"
#include "placement/explaining/debug_service.h"

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
                             {"clustersets", "registration-controller-lock"},
                             {"registration", "registration-controller-lock"},
                             {"addons", "manager-lock"}};

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
                 kRecorderLimits),
        fleet_recorder(env, events_api,
                       {.controller = "registration-controller",
                        .instance = "registration-controller-" + settings.host}),
        reservation_recorder(env, events_api,
                             {.controller = "reservation-controller",
                              .instance = "reservation-controller-" + settings.host}),
        scores_recorder(
            env, events_api,
            {.controller = "scores-controller", .instance = "scores-controller-" + settings.host}),
        hosting_recorder(env, events_api,
                         {.controller = "hosting-controller",
                          .instance = "hosting-controller-" + settings.host}) {
    if (settings.controllers.contains("clustersets")) {
      sets = std::make_unique<placement::ClusterSetsController>(env, api, informers, may_write);
    }
    if (settings.controllers.contains("placement")) {
      placement = std::make_unique<placement::PlacementController>(env, api, informers, recorder,
                                                                   may_write, settings.placement);
    }
    if (settings.controllers.contains("scores")) {
      scores = std::make_unique<scores::HubScoresController>(env, api, informers, scores_recorder,
                                                             may_write, settings.score_sources);
    }
    if (settings.controllers.contains("registration")) {
      clusters = std::make_unique<fleet::ClustersController>(env, api, informers, fleet_recorder,
                                                             may_write, settings.registration);
      renewals = std::make_unique<fleet::RenewalsController>(env, api, informers, may_write);
    }
    if (settings.controllers.contains("reservation")) {
      reservation = std::make_unique<nodes::ReservationController>(env, api, reservation_recorder,
                                                                   may_write, settings.reservation);
    }
    if (settings.controllers.contains("addons")) {
      add_ons = std::make_unique<fleet::AddOnsController>(env, api, informers, may_write,
                                                          settings.add_ons);
    }
    if (settings.controllers.contains("hosting")) {
      hosting = std::make_unique<hosting::HubHostingController>(env, api, informers,
                                                                hosting_recorder, may_write);
    }
  }

  // The first controller that does not know everything yet; "": all do.
  std::string still_reads() const {
    if (sets && !sets->has_synced()) return "clustersets";
    if (placement && !placement->has_synced()) return "placement";
    if (scores && !scores->is_settled()) return "scores";
    if (clusters && !(clusters->has_synced() && renewals->has_synced())) return "registration";
    if (reservation && !reservation->is_settled()) return "reservation";
    if (add_ons && !add_ons->has_synced()) return "addons";
    if (hosting && !hosting->is_settled()) return "hosting";
    return "";
  }

  client::Informers informers;
  control::RecorderService recorder;
  std::unique_ptr<placement::ClusterSetsController> sets;
  std::unique_ptr<placement::PlacementController> placement;
  control::RecorderService fleet_recorder;
  control::RecorderService reservation_recorder;
  control::RecorderService scores_recorder;
  std::unique_ptr<nodes::ReservationController> reservation;
  std::unique_ptr<scores::HubScoresController> scores;
  std::unique_ptr<fleet::ClustersController> clusters;
  std::unique_ptr<fleet::RenewalsController> renewals;
  std::unique_ptr<fleet::AddOnsController> add_ons;
  control::RecorderService hosting_recorder;
  std::unique_ptr<hosting::HubHostingController> hosting;
};

ControllerProgram::ControllerProgram(const env::Env& env, ControllerSettings settings, Ended ended)
    : env_(env),
      settings_(std::move(settings)),
      ended_(std::move(ended)),
      api_(env, settings_.hub, api_options(settings_)),
      events_api_(env, settings_.hub, api_options(settings_)),
      operations_({env.clock, env.loop, env.network, env.metrics}),
      led_(
          env, api_, settings_.election,
          [this](const control::MayWrite& may_write) {
            return std::make_shared<Work>(env_, api_, events_api_, settings_, may_write);
          },
          [this] { end(failure(Code::Conflict, "leadership was lost")); }) {}

ControllerProgram::~ControllerProgram() = default;

void ControllerProgram::start() {
  operations_.add_check(control::Probe::Ready, {"controllers", [this] { return readiness(); }});
  add_debug_route();
  const Status listening = listen(operations_, settings_.operations, env_.log);
  if (!listening.ok()) return end(listening);
  settings_.takes_over ? led_.start() : check_rivals();
}

void ControllerProgram::add_debug_route() {
  // Only the leader has the picture that the document is made of.
  auto route = placement::debug_route([this] {
    Work& work = *led_.work();
    auto& placements = work.informers.of(resource_of(placement::Watched::Placements));
    auto& clusters = work.informers.of(resource_of(placement::Watched::Clusters));
    return placement::DebugSource{
        .situation = work.placement->situation(),
        .find = [&placements](const api::ObjectKey& key) -> std::shared_ptr<const json::Value> {
          auto object = placements.store().find(key);
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
        const Work* work = led_.work();
        if (work && work->placement) return route(std::move(request), std::move(answer));
        answer.send({.status = 503},
                    http::Body(std::string(R"({"error":"this process does not lead"})")));
      });
}

Status ControllerProgram::readiness() const {
  if (led_.stands_by()) return {};
  const Work* work = led_.work();
  const std::string reads = work ? work->still_reads() : "all";
  if (reads.empty()) return {};
  return failure(Code::ServiceUnavailable, reads + ": reading the hub");
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
  led_.start();
}

void ControllerProgram::stop() {
  if (std::exchange(stopping_, true)) return;
  operations_.begin_shutdown();
  led_.stop(scope_.guard([this] { operations_.drain(scope_.guard([this] { end({}); })); }));
}

void ControllerProgram::end(const Status& status) {
  if (!ended_) return;
  env_.loop.post(scope_.guard([ended = std::exchange(ended_, nullptr), status] { ended(status); }));
}

}  // namespace berth::app
