// Tested by registration_agent_controller_test.cc.
#include "fleet/registration/session_controller.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "client/edit_service.h"
#include "client/errors.h"
#include "env/random.h"
#include "fleet/registration/liveness.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

using json::Value;

// Nodes change many at a time.
constexpr Duration kGather = std::chrono::seconds(1);
constexpr client::CallOptions kOnce = {.timeout = std::chrono::seconds(10),
                                       .retry = {.attempts_max = 1}};

client::InformerSpec own_object(const std::string& cluster) {
  return {.collection = {.resource = managed_clusters()},
          .selection = {.fields = "metadata.name=" + cluster}};
}

client::InformerSpec nodes_spec() {
  return {.collection = {.resource = nodes()},
          .projection = client::Projection::only(
              {"spec.unschedulable", "status.capacity", "status.allocatable"})};
}

client::InformerSpec claims_spec() {
  return {.collection = {.resource = cluster_claims()},
          .projection = client::Projection::only({"metadata.labels", "spec.value"})};
}

std::vector<const Value*> bodies_of(const client::Store& store) {
  std::vector<const Value*> bodies;
  for (const client::ObjectPtr& object : store.objects()) bodies.push_back(&object->body());
  return bodies;
}

ProbeAnswer probe_answer(const Result<client::RestAnswer>& answer) {
  if (answer.ok()) return {.status = answer->status, .text = answer->body};
  const Error& error = answer.error();
  const bool never_came = client::network_failure(error).has_value() || error.code == Code::Timeout;
  return {.status = never_came ? 0 : http_status(error.code), .text = error.message};
}

}  // namespace

SessionController::SessionController(const env::Env& env, client::Api& hub, client::Api& cluster,
                                     SessionSettings settings, CertificateCondition certificate)
    : env_(env),
      hub_(hub),
      cluster_(cluster),
      settings_(std::move(settings)),
      certificate_(std::move(certificate)),
      random_(env::new_seed(env.entropy)),
      recorder_(env, hub,
                {.controller = "klusterlet-agent",
                 .instance = "klusterlet-agent-" + settings_.name.agent}),
      committer_(env.loop, hub, [] { return true; }, {.field_manager = "berth-agent"}),
      clusters_(env, hub, own_object(settings_.name.cluster)),
      nodes_(env, cluster, nodes_spec()),
      claims_(env, cluster, claims_spec()),
      reconciler_(env, "session", 2, [this](Task task) { work(task); }) {
  clusters_.add_handler(scope_.guard([this](const client::Delta& delta) {
    const bool was_accepted =
        delta.before && api::is_condition_true(delta.before->body(), kAccepted);
    const bool is_late = is_out_of_sight() && is_renewal_due();
    if (is_accepted() && (!was_accepted || is_late)) reconciler_.add(Task::Lease);
    reconciler_.add(Task::Status);
  }));
  for (client::InformerService* informer : {&nodes_, &claims_}) {
    informer->add_handler(scope_.guard(
        [this](const client::Delta&) { reconciler_.add_after(Task::Status, kGather); }));
    informer->when_synced(scope_.guard([this] { reconciler_.add_after(Task::Status, kGather); }));
    informer->start();
  }
  clusters_.when_synced(scope_.guard([this] { reconciler_.start(); }));
  clusters_.start();
}

const Value* SessionController::own_cluster() const {
  own_ = clusters_.store().find({.ns = "", .name = settings_.name.cluster});
  return own_ ? &own_->body() : nullptr;
}

bool SessionController::is_accepted() const {
  const Value* cluster = own_cluster();
  return cluster && api::is_condition_true(*cluster, kAccepted);
}

// The hub has missed renewals of the lease. Whatever it is told before the next one, it takes back
// at once, and would be told again: so there is one report for each renewal.
bool SessionController::is_out_of_sight() const {
  const Value* cluster = own_cluster();
  const Value* available =
      cluster ? api::find_condition(api::field(api::field(*cluster, "status"), "conditions"),
                                    kAvailable)
              : nullptr;
  return available && told_since_ && api::text_field(*available, "status") == "Unknown";
}

bool SessionController::is_renewal_due() const {
  const Value* cluster = own_cluster();
  return !renewed_ ||
         env_.clock.monotonic() - *renewed_ >= lease_duration(cluster ? *cluster : Value());
}

void SessionController::work(Task task) {
  if (!is_accepted()) return reconciler_.finish(task);  // The informer wakes us.
  if (task == Task::Status && is_out_of_sight()) {
    return reconciler_.finish(task);  // The renewal does.
  }
  task == Task::Lease ? renew_lease() : probe("/livez");
}

// The hub makes the lease; the agent may only update it.
void SessionController::renew_lease() {
  client::edit(
      hub_,
      {.path = {.resource = leases(),
                .ns = settings_.name.cluster,
                .name = std::string(kClusterLease)},
       .change = [&clock = env_.clock](const Value& lease) -> Result<std::optional<Value>> {
         return renewed_lease(lease, clock.now());
       },
       .write = {.field_manager = "berth-agent"}},
      scope_.guard([this](const Result<Value>& answer) {
        end_lease(answer.ok() ? Status() : Status(failure(answer.error())));
      }));
}

void SessionController::end_lease(const Status& status) {
  if (!status.ok()) {
    env_.log.warn("session.lease_not_renewed",
                  {{"cluster", settings_.name.cluster}, {"error", status.error().message}});
    return reconciler_.finish(Task::Lease, status);
  }
  renewed_ = env_.clock.monotonic();
  if (is_out_of_sight()) reconciler_.add(Task::Status);
  told_since_ = false;
  const Value* cluster = own_cluster();
  reconciler_.add_after(Task::Lease, lease_pause(cluster ? *cluster : Value(), random_.unit()));
  reconciler_.finish(Task::Lease);
}

void SessionController::probe(std::string path) {
  cluster_.fetch(client::plain_request(path), kOnce,
                 scope_.guard([this, path](const Result<client::RestAnswer>& answer) {
                   on_probe(path, answer);
                 }));
}

// Old servers have no /livez, and some let nobody see it.
void SessionController::on_probe(const std::string& path,
                                 const Result<client::RestAnswer>& answer) {
  const ProbeAnswer probed = probe_answer(answer);
  const bool may_be_elsewhere = probed.status == 404 || probed.status == 403;
  if (path == "/livez" && may_be_elsewhere) return probe("/healthz");
  const Health::Verdict verdict = health_.on_probe(probed, env_.clock.monotonic());
  if (verdict == Health::Verdict::Available) return read_version(probed);
  env_.log.warn("session.cluster_not_ok",
                {{"cluster", settings_.name.cluster}, {"error", probed.text}});
  report(probed, verdict);
}

void SessionController::read_version(ProbeAnswer probe) {
  cluster_.fetch(client::plain_request("/version"), kOnce,
                 scope_.guard([this, probe](const Result<client::RestAnswer>& answer) {
                   const auto document =
                       answer.ok() ? json::parse(answer->body) : Result<Value>(Value());
                   if (document.ok() && document->find("gitVersion")) {
                     version_ = api::text_field(*document, "gitVersion");
                   }
                   report(probe, Health::Verdict::Available);
                 }));
}

void SessionController::report(const ProbeAnswer& probe, Health::Verdict verdict) {
  const Value* before = own_cluster();
  // What the nodes have together is not known before all of them are.
  const bool knows_nodes = nodes_.has_synced() || verdict != Health::Verdict::Available;
  if (!before || !knows_nodes) return end_report({});
  ClusterReport told{.health = verdict,
                     .probe = probe,
                     .version = version_,
                     .resources = sum_of_nodes(bodies_of(nodes_.store())),
                     .certificate = certificate_()};
  if (claims_.has_synced()) {
    told.claims = exposed_claims(bodies_of(claims_.store()), settings_.claims);
  }
  Value after = with_report(*before, told, env_.clock.now());
  if (after == *before) return end_report({});
  committer_.submit({.resource = managed_clusters(), .before = *before, .after = after},
                    scope_.guard([this, before = *before, after](const Status& status) {
                      if (status.ok()) {
                        told_since_ = true;
                        tell(before, after);
                      }
                      end_report(status);
                    }));
}

void SessionController::end_report(const Status& status) {
  if (!status.ok() && !client::is_stale_write(status.error())) {
    env_.log.warn("session.report_failed",
                  {{"cluster", settings_.name.cluster}, {"error", status.error().message}});
  }
  reconciler_.add_after(Task::Status, health_.next_probe(settings_.period));
  reconciler_.finish(Task::Status, status);
}

void SessionController::tell(const Value& before, const Value& after) {
  const bool is_up = api::is_condition_true(after, kAvailable);
  const bool is_down = api::is_condition_false(after, kAvailable);
  const bool was_same = (is_up && api::is_condition_true(before, kAvailable)) ||
                        (is_down && api::is_condition_false(before, kAvailable));
  if (was_same || (!is_up && !is_down)) return;
  Value regarding = control::object_reference(after);
  regarding["namespace"] = settings_.name.cluster;
  const std::string word = is_up ? "Available" : "Unavailable";
  const std::string_view note =
      is_up ? "The {} is successfully imported, and it is managed by the hub cluster. Its "
              "apieserver is available"
            : "The {} is successfully imported. However, its Kube API server is unavailable";
  recorder_.record({.regarding = std::move(regarding),
                    .type = is_up ? control::EventType::Normal : control::EventType::Warning,
                    .reason = word,
                    .action = word,
                    .note = fmt::format(fmt::runtime(note), settings_.name.cluster)});
}

}  // namespace berth::fleet
