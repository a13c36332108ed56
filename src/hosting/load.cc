#include "hosting/load.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/rfc3339.h"

namespace berth::hosting {
namespace {

const ObservedItem* find_item(const Observation& observation, const std::string& key) {
  const auto found = std::ranges::lower_bound(observation.items, key, {}, &ObservedItem::key);
  return found == observation.items.end() || found->key != key ? nullptr : &*found;
}

// Whether something that began then is part of a mere number.
bool is_counted(const Observation& observation, std::optional<Time> since, Time now) {
  if (!since) return false;
  if (observation.at && *since <= *observation.at) return true;
  return observation.is_live.value_or(false) && now - *since >= kSettling;
}

// Whether the number of hosted clusters that was observed has this one in it.
bool is_in_count(const Observation& observation, const Claim& claim, Time now) {
  if (observation.source == Observation::Source::Agent) {
    return find_item(observation, claim.hosted_cluster) != nullptr;
  }
  // One that is being deleted may be gone from the number already.
  return claim.state != ClaimState::Releasing &&
         is_counted(observation, claim.delivered_since, now);
}

// Whether the free amounts that were observed are without what this one needs: all of its pods have
// to be there.
bool is_in_free(const Observation& observation, const Claim& claim) {
  const ObservedItem* item = find_item(observation, claim.hosted_cluster);
  return item != nullptr && item->is_available && claim.state != ClaimState::Releasing;
}

std::int64_t overcommitted(const HostingLedger& ledger, Resource resource, std::int64_t amount) {
  if (resource == Resource::Cpu) return amount / 100 * ledger.overcommit_cpu;
  if (resource == Resource::Memory) return amount / 100 * ledger.overcommit_memory;
  return amount;
}

}  // namespace

std::string staleness(const Observation& observation, Time now) {
  if (observation.source == Observation::Source::None) return "nobody reports its load";
  if (observation.source == Observation::Source::Score && observation.count >= kScoreCountMax) {
    return fmt::format("its report ends at {} and says no more", kScoreCountMax);
  }
  if (observation.valid_until) {
    if (now < *observation.valid_until) return "";
    return "its report expired at " + format_seconds(*observation.valid_until);
  }
  if (observation.is_live) return *observation.is_live ? "" : "the agent that reports is silent";
  if (observation.at && now < *observation.at + kStaleAfter) return "";
  return observation.at ? "its report is of " + format_seconds(*observation.at)
                        : "nobody knows how old its report is";
}

std::optional<Time> fresh_until(const Observation& observation) {
  if (observation.source == Observation::Source::None) return std::nullopt;
  if (observation.valid_until) return observation.valid_until;
  if (observation.is_live || !observation.at) return std::nullopt;
  return *observation.at + kStaleAfter;
}

Load load_of(const HostingLedger& ledger, const Observation& observation, Time now) {
  Load load{.claimed = static_cast<std::int64_t>(ledger.claims.size())};
  std::int64_t counted = 0;
  Amounts all;       // Of all claims.
  Amounts unplaced;  // Of those that the observed free amounts do not know.
  for (const Claim& claim : ledger.claims) {
    if (claim.is_in_flight()) ++load.in_flight;
    if (is_in_count(observation, claim, now)) ++counted;
    all += claim.size;
    if (!is_in_free(observation, claim)) unplaced += claim.size;
  }
  load.foreign = std::max<std::int64_t>(0, observation.count - counted);
  const Amounts foreign = kBaseline * load.foreign;
  for (const Resource resource : kResources) {
    const auto capacity = observation.capacity[resource];
    if (!capacity) continue;
    const std::int64_t usable = overcommitted(ledger, resource, *capacity);
    load.capacity[resource] = usable;
    if (const auto free = observation.free[resource]) {
      load.free[resource] = *free + (usable - *capacity) - unplaced[resource];
    } else {
      load.free[resource] = usable - foreign[resource] - all[resource];
    }
  }
  return load;
}

}  // namespace berth::hosting
