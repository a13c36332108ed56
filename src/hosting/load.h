// The load model: how many hosted clusters a host has to reckon with, and what room is left, when
// what it reports is always a little old.
//
//   foreign = what is observed and was not assigned here
//   load    = foreign + claims
//
// A claim counts from the moment it is written, whether or not the host has reported it yet. Where
// that cannot be told it counts twice for a while, never not at all.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "hosting/amounts.h"
#include "hosting/hosting_ledger.h"

namespace berth::hosting {

// A live agent that only counts has counted what was delivered so long ago.
inline constexpr Duration kSettling = std::chrono::minutes(2);

// How old a report without an end may be, when nobody says whether its writer lives.
inline constexpr Duration kStaleAfter = std::chrono::minutes(5);

// A score goes no further: so many, or more.
inline constexpr std::int64_t kScoreCountMax = 100;

// What is known about a host, by whichever way.
struct Observation {
  enum class Source : std::uint8_t { None, Score, Agent };

  Source source = Source::None;
  std::int64_t count = 0;
  std::vector<ObservedItem> items = {};  // Of an Agent; sorted.
  std::optional<Time> at = std::nullopt;
  std::optional<Time> valid_until = std::nullopt;
  std::optional<bool> is_live = std::nullopt;  // Whether the writer lives, if anybody says so.
  KnownAmounts capacity = {};
  KnownAmounts free = {};  // Of an Agent.

  bool operator==(const Observation&) const = default;
};

// Why the observation is no ground for new work; empty: it is one.
std::string staleness(const Observation& observation, Time now);

// When time alone makes it stale.
std::optional<Time> fresh_until(const Observation& observation);

struct Load {
  std::int64_t foreign = 0;
  std::int64_t claimed = 0;
  std::int64_t in_flight = 0;
  KnownAmounts capacity = {};  // With overcommitment.
  KnownAmounts free = {};

  std::int64_t total() const { return foreign + claimed; }
  bool operator==(const Load&) const = default;
};

Load load_of(const HostingLedger& ledger, const Observation& observation, Time now);

}  // namespace berth::hosting
