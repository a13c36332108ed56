#include "control/leader_election.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "json/text_of.h"

namespace berth::control {
namespace {

using json::Value;
using std::chrono::seconds;

constexpr double kJitterFactor = 1.2;

const Value* spec_of(const Value& lease) { return lease.find("spec"); }

std::int64_t number_at(const Value& lease, std::string_view field) {
  const Value* value = lease.find_path({"spec", field});
  return value ? value->as_int().value_or(0) : 0;
}

bool same_spec(const Value& a, const Value& b) {
  const Value* spec_a = spec_of(a);
  const Value* spec_b = spec_of(b);
  return spec_a && spec_b ? *spec_a == *spec_b : spec_a == spec_b;
}

std::int64_t whole_seconds(Duration length) {
  return std::chrono::duration_cast<seconds>(length).count();
}

}  // namespace

Status check_leader_election_options(const LeaderElectionOptions& options) {
  const auto refuse = [](std::string message) -> Status {
    return failure(Code::Invalid, "leader election: " + std::move(message));
  };
  if (options.identity.empty()) return refuse("an identity is needed");
  if (options.lease_name.empty() || options.lease_namespace.empty()) {
    return refuse("the lease needs a name and a namespace");
  }
  if (options.lease_duration < seconds(1)) return refuse("the lease must last at least 1s");
  if (options.retry_period <= Duration::zero()) return refuse("the retry period must be positive");
  if (options.lease_duration <= options.renew_deadline) {
    return refuse("the lease must last longer than the renew deadline");
  }
  if (options.renew_deadline * 5 <= options.retry_period * 6) {
    return refuse("the renew deadline must exceed 1.2 times the retry period");
  }
  return {};
}

LeaderElector::LeaderElector(LeaderElectionOptions options, Random random)
    : options_(std::move(options)), random_(std::move(random)) {}

bool LeaderElector::may_write(Instant now) const {
  return leading_ && now - renewed_at_ < options_.renew_deadline;
}

void LeaderElector::on_deadline(Instant now) {
  if (leading_ && now >= leads_until()) leading_ = false;
}

LeaderElector::Step LeaderElector::on_time(Moment now) {
  on_deadline(now.monotonic);
  // A leader knows the lease it wrote: it saves the read and renews at once.
  if (leading_) return acquire_or_renew(now);
  return Get{};
}

LeaderElector::Step LeaderElector::on_read(Result<Value> lease, Moment now) {
  if (lease.ok()) {
    observe(*lease, now.monotonic);
    return acquire_or_renew(now);
  }
  if (lease.error().code != Code::NotFound) return retry_later(now);
  seen_.reset();
  sent_at_ = now.monotonic;
  return Create{lease_held_by_us(now)};
}

LeaderElector::Step LeaderElector::on_written(Result<Value> lease, Moment now) {
  if (lease.ok()) {
    observe(*lease, now.monotonic);
    leading_ = holder_ == options_.identity;
    // Counted from the moment the write was sent: the others saw it no earlier than that.
    if (leading_) renewed_at_ = sent_at_;
    return leading_ ? Step(Wait{now.monotonic + options_.retry_period}) : retry_later(now);
  }
  // Our picture of the lease is old, or the write may or may not have arrived: look again. A leader
  // does so at once, others wait their turn.
  if (leading_ && now.monotonic - renewed_at_ < options_.renew_deadline &&
      lease.error().code == Code::Conflict) {
    return Get{};
  }
  return retry_later(now);
}

std::optional<LeaderElector::Update> LeaderElector::release(Moment now) {
  leading_ = false;
  if (!seen_ || holder_ != options_.identity) return std::nullopt;
  Value lease = *seen_;
  Value& spec = lease["spec"];
  spec["holderIdentity"] = "";
  spec["leaseDurationSeconds"] = 1;
  spec["renewTime"] = format_micros(now.wall);
  spec["acquireTime"] = format_micros(now.wall);
  return Update{std::move(lease)};
}

LeaderElector::Step LeaderElector::acquire_or_renew(Moment now) {
  if (held_by_other(now.monotonic)) {
    leading_ = false;
    return retry_later(now);
  }
  sent_at_ = now.monotonic;
  return Update{lease_held_by_us(now)};
}

LeaderElector::Step LeaderElector::retry_later(Moment now) {
  const Duration period = options_.retry_period;
  if (leading_) {
    return Wait{std::min(now.monotonic + period, std::max(leads_until(), now.monotonic))};
  }
  const auto jitter = static_cast<double>(period.count()) * kJitterFactor * random_.unit();
  return Wait{now.monotonic + period + Duration(static_cast<std::int64_t>(jitter))};
}

void LeaderElector::observe(const Value& lease, Instant now) {
  if (!seen_ || !same_spec(*seen_, lease)) seen_at_ = now;
  seen_ = lease;
  holder_ = text_at(lease, {"spec", "holderIdentity"});
  holder_duration_ =
      seconds(std::clamp<std::int64_t>(number_at(lease, "leaseDurationSeconds"), 0, 86'400));
}

bool LeaderElector::held_by_other(Instant now) const {
  return seen_ && !holder_.empty() && holder_ != options_.identity &&
         now < seen_at_ + holder_duration_;
}

Value LeaderElector::lease_held_by_us(Moment now) const {
  const std::string timestamp = format_micros(now.wall);
  Value lease = seen_.value_or(Value::object({
      {"apiVersion", "coordination.k8s.io/v1"},
      {"kind", "Lease"},
      {"metadata",
       Value::object({{"name", options_.lease_name}, {"namespace", options_.lease_namespace}})},
  }));
  Value& spec = lease["spec"];
  if (!spec.is_object()) spec = Value::object();
  const bool ours = seen_ && holder_ == options_.identity;
  if (!ours) {
    spec["acquireTime"] = timestamp;
    spec["leaseTransitions"] = seen_ ? number_at(*seen_, "leaseTransitions") + 1 : 0;
  }
  spec["holderIdentity"] = options_.identity;
  spec["leaseDurationSeconds"] = whole_seconds(options_.lease_duration);
  spec["renewTime"] = timestamp;
  return lease;
}

}  // namespace berth::control
