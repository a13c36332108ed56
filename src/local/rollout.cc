#include "local/rollout.h"

#include <algorithm>

#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::local {
namespace {

using json::Value;

enum class Rounding { Up, Down };

// 3, or "25%" of `total`.
std::int64_t resolve(const Value& share, std::int64_t total, Rounding rounding) {
  if (const auto count = share.as_int()) return std::max<std::int64_t>(*count, 0);
  std::string_view text = share.string_or_empty();
  if (!text.ends_with('%')) return 0;
  text.remove_suffix(1);
  const std::int64_t percent = std::clamp<std::int64_t>(parse_int64(text).value_or(0), 0, 1000);
  return (percent * total + (rounding == Rounding::Up ? 99 : 0)) / 100;
}

std::int64_t total(const std::vector<SetSize>& sets, std::int64_t SetSize::* what) {
  std::int64_t sum = 0;
  for (const SetSize& set : sets) sum += set.*what;
  return sum;
}

// First goes what is not available, which nobody misses: at most `any` pods. Then at most `healthy`
// others, from the oldest set on.
std::vector<std::int64_t> shrunk(const std::vector<SetSize>& old, std::int64_t any,
                                 std::int64_t healthy) {
  std::vector<std::int64_t> sizes;
  for (const SetSize& set : old) {
    const std::int64_t missing = std::max<std::int64_t>(set.wanted - set.available, 0);
    const std::int64_t taken = std::clamp<std::int64_t>(any, 0, missing);
    any -= taken;
    sizes.push_back(set.wanted - taken);
  }
  for (std::int64_t& size : sizes) {
    const std::int64_t taken = std::clamp<std::int64_t>(healthy, 0, size);
    healthy -= taken;
    size -= taken;
  }
  return sizes;
}

RolloutStep recreate_step(const RolloutLimits& limits, const std::optional<SetSize>& current,
                          const std::vector<SetSize>& old) {
  RolloutStep step{.new_size = current ? current->wanted : 0,
                   .old_sizes = std::vector<std::int64_t>(old.size(), 0)};
  if (total(old, &SetSize::pods) == 0) step.new_size = limits.replicas;
  return step;
}

}  // namespace

RolloutLimits rollout_limits(const Value& deployment) {
  const Value& spec = api::field(deployment, "spec");
  const Value& strategy = api::field(spec, "strategy");
  RolloutLimits limits{.recreates = api::text_field(strategy, "type") == "Recreate",
                       .replicas = api::int32_field(spec, "replicas").value_or(1)};
  if (limits.recreates) return limits;
  const Value& rolling = api::field(strategy, "rollingUpdate");
  const Value quarter("25%");
  const auto share = [&](std::string_view name) -> const Value& {
    const Value& value = api::field(rolling, name);
    return value.is_null() ? quarter : value;
  };
  limits.surge = resolve(share("maxSurge"), limits.replicas, Rounding::Up);
  limits.unavailable = resolve(share("maxUnavailable"), limits.replicas, Rounding::Down);
  if (limits.surge == 0 && limits.unavailable == 0) limits.unavailable = 1;
  limits.unavailable = std::min(limits.unavailable, limits.replicas);
  return limits;
}

DaemonShares daemon_shares(const Value& set, std::int64_t nodes) {
  const Value& rolling =
      api::field(api::field(api::field(set, "spec"), "updateStrategy"), "rollingUpdate");
  DaemonShares shares;
  if (const Value& surge = api::field(rolling, "maxSurge"); !surge.is_null()) {
    shares.surge = resolve(surge, nodes, Rounding::Up);
  }
  if (const Value& missing = api::field(rolling, "maxUnavailable"); !missing.is_null()) {
    shares.unavailable = resolve(missing, nodes, Rounding::Up);
  }
  if (shares.surge == 0 && shares.unavailable == 0) shares.unavailable = 1;
  return shares;
}

RolloutStep next_step(const RolloutLimits& limits, const std::optional<SetSize>& current,
                      const std::vector<SetSize>& old) {
  if (limits.recreates) return recreate_step(limits, current, old);
  const SetSize now = current.value_or(SetSize());
  const std::int64_t all = now.wanted + total(old, &SetSize::wanted);
  const std::int64_t room = std::max<std::int64_t>(limits.replicas + limits.surge - all, 0);
  RolloutStep step{.new_size = std::min(limits.replicas, now.wanted + room)};
  for (const SetSize& set : old) step.old_sizes.push_back(set.wanted);
  if (step.new_size != now.wanted) return step;  // The old ones shrink when that is seen.

  const std::int64_t needed = limits.replicas - limits.unavailable;
  const std::int64_t coming = std::max<std::int64_t>(now.wanted - now.available, 0);
  const std::int64_t available = now.available + total(old, &SetSize::available);
  const std::int64_t spare = all - needed - coming;
  if (spare > 0) step.old_sizes = shrunk(old, spare, available - needed);
  return step;
}

}  // namespace berth::local
