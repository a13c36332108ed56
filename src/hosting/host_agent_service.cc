#include "hosting/host_agent_service.h"

#include <algorithm>
#include <utility>

#include "client/errors.h"
#include "hosting/host_report.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using json::Value;

constexpr Duration kRetry = std::chrono::seconds(5);
constexpr Duration kClaimsEvery = std::chrono::minutes(5);  // Somebody may have changed them.
constexpr const char* kManager = "berth-hosting-agent";

client::Gvr ledgers() { return {std::string(kGroup), "v1alpha1", "hostingledgers"}; }
client::Gvr cluster_claims() {
  return {"cluster.open-cluster-management.io", "v1alpha1", "clusterclaims"};
}

client::FollowerSpec hosted_cluster_spec(Duration silence_max) {
  return {.collection = {.resource = {"hypershift.openshift.io", "v1beta1", "hostedclusters"}},
          .projection =
              client::Projection::only({"status.conditions[].type", "status.conditions[].status"}),
          .proof = control::proof_within(silence_max)};
}

}  // namespace

HostAgent::HostAgent(const env::Env& env, client::Api& cluster, client::Api& hub,
                     HostAgentOptions options, Hooks hooks)
    : env_(env),
      cluster_api_(cluster),
      hub_(hub),
      options_(std::move(options)),
      hooks_(std::move(hooks)),
      hosted_clusters_(env, cluster, hosted_cluster_spec(options_.silence_max),
                       listen_to_hosted_clusters()),
      room_(env, cluster, usage_, options_.silence_max, [this] { on_changed(); }) {
  write_soon(options_.change_interval);
}

// --- What there is -------------------------------------------------------------------------------

client::FollowerListener HostAgent::listen_to_hosted_clusters() {
  return {.on_state =
              [this](const std::vector<client::ObjectPtr>& all) {
                items_.clear();
                for (const auto& one : all) items_[one->key()] = read_hosted_cluster(one->body());
                on_changed();
              },
          .on_put =
              [this](const client::Object& one) {
                items_[one.key()] = read_hosted_cluster(one.body());
                on_changed();
              },
          .on_removed =
              [this](const client::Object& one) {
                items_.erase(one.key());
                on_changed();
              }};
}

bool HostAgent::is_sure() const {
  if (!hosted_clusters_.has_synced() || !room_.has_synced()) return false;
  const auto hosted = hosted_clusters_.last_sign();
  const auto room = room_.last_sign();
  return hosted && room &&
         env_.clock.monotonic() - std::min(*hosted, *room) <= options_.silence_max;
}

std::optional<std::int64_t> HostAgent::count() const {
  if (!is_sure()) return std::nullopt;
  return static_cast<std::int64_t>(items_.size());
}

ExactObservation HostAgent::observation(Time now) const {
  ExactObservation observed{.at = now, .valid_until = now + options_.validity};
  for (const auto& [key, item] : items_) {
    if (observed.items.size() < kItemsMax) observed.items.push_back(item);
  }
  const Amounts capacity = usage_.capacity();
  const Amounts free = usage_.free();
  for (const Resource resource : kResources) {
    observed.capacity[resource] = capacity[resource];
    observed.free[resource] = free[resource];
  }
  return observed;
}

Status HostAgent::readiness() const {
  if (env_.clock.monotonic() < live_until_) return {};
  return failure(Code::ServiceUnavailable, trouble_);
}

// --- Telling it ----------------------------------------------------------------------------------

void HostAgent::on_changed() {
  if (hooks_.changed) hooks_.changed();
  if (busy_) {
    is_due_ = true;
  } else {
    write_soon(options_.change_interval);
  }
}

// Whichever comes first: what was planned, or this.
void HostAgent::write_soon(Duration delay) {
  const Instant now = env_.clock.monotonic();
  const Instant when = now + delay;
  const bool is_planned = next_write_ >= now && next_write_ <= when;
  if (is_planned) return;
  next_write_ = when;
  timer_ = env::after(env_.loop, env_.clock, delay, scope_.guard([this] { write(); }));
}

void HostAgent::write() {
  next_write_ = Instant::min();
  if (!is_sure()) {
    trouble_ = "the hosted clusters cannot be read";
    return write_soon(options_.change_interval);
  }
  busy_ = true;
  is_due_ = false;
  // What the cluster claims is nothing to the hub.
  const auto now = hooks_.hub_time();
  if (now) return write_ledger(*now);
  trouble_ = "the hub has not answered yet";
  write_claims();
}

void HostAgent::write_ledger(Time now) {
  const ExactObservation observed = observation(now);
  Value patch = Value::object({{"status", Value::object({{"observed", to_json(observed)}})}});
  hub_.patch({.resource = ledgers(),
              .ns = options_.cluster,
              .name = std::string(kLedgerName),
              .subresource = "status"},
             std::move(patch), {.write = {.field_manager = kManager}},
             scope_.guard([this](const Result<Value>& answer) {
               on_ledger(answer.ok() ? Status() : failure(answer.error()));
             }));
}

// The ledger comes when the hub has heard of the claims.
void HostAgent::on_ledger(const Status& status) {
  if (status.ok()) live_until_ = env_.clock.monotonic() + options_.validity;
  if (!status.ok() && !client::is_not_found(status.error())) return finish(status);
  if (!status.ok()) trouble_ = "there is no ledger on the hub yet: its hosting controller makes it";
  write_claims();
}

void HostAgent::write_claims() {
  const auto count = static_cast<std::int64_t>(items_.size());
  if (claimed_ == count && env_.clock.monotonic() < claims_due_) return finish({});
  claimed_ = count;
  write_claim(host_claims(count, options_.thresholds));
}

// The last of them, then the others.
void HostAgent::write_claim(const std::vector<Value>& claims) {
  if (claims.empty()) {
    claims_due_ = env_.clock.monotonic() + kClaimsEvery;
    return finish({});
  }
  const Value& claim = claims.back();
  const client::ResourcePath collection{.resource = cluster_claims()};
  client::ResourcePath path = collection;
  path.name = claim.find_path({"metadata", "name"})->string_or_empty();
  cluster_api_.patch(path, claim, {.write = {.field_manager = kManager}},
                     scope_.guard([this, collection, claims](const Result<Value>& answer) {
                       const bool is_missing = !answer.ok() && client::is_not_found(answer.error());
                       if (!is_missing) return on_claim(claims, answer);
                       cluster_api_.create(collection, claims.back(), {.field_manager = kManager},
                                           scope_.guard([this, claims](const Result<Value>& made) {
                                             on_claim(claims, made);
                                           }));
                     }));
}

void HostAgent::on_claim(std::vector<Value> claims, const Result<Value>& answer) {
  if (!answer.ok()) {
    claimed_ = std::nullopt;
    return finish(failure(answer.error()));
  }
  claims.pop_back();
  write_claim(claims);
}

void HostAgent::finish(const Status& status) {
  busy_ = false;
  if (!status.ok()) {
    const bool is_news = trouble_ != status.error().message;
    trouble_ = status.error().message;
    if (is_news) env_.log.warn("hosting.report_failed", {{"error", trouble_}});
    return write_soon(kRetry);
  }
  const bool is_live = env_.clock.monotonic() < live_until_;
  write_soon(is_due_ ? options_.change_interval : is_live ? options_.refresh : kRetry);
}

}  // namespace berth::hosting
