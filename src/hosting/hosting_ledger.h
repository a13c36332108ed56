// HostingLedger: what one hosting cluster may take, who has claimed room there, and what is there.
// All claims on a host are in this one object, so that whoever takes one has seen all the others.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "hosting/amounts.h"
#include "json/value.h"

namespace berth::hosting {

enum class ClaimState : std::uint8_t {
  Reserved,   // Room is kept; nothing may be on the host yet.
  Delivered,  // The hosted cluster's object is on the host.
  Observed,   // Its control plane has been available.
  Releasing,  // It is being deleted; the room is not free before that is proven.
};

std::string_view claim_state_name(ClaimState state);

struct Claim {
  std::string request_uid;
  std::string request_namespace = {};
  std::string request_name = {};
  std::string hosted_cluster = {};  // "namespace/name" on the host.
  Amounts size = kBaseline;
  ClaimState state = ClaimState::Reserved;
  std::int64_t attempt = 1;  // Which assignment of the request it is for.
  Time since = {};
  std::optional<Time> delivered_since = std::nullopt;
  std::optional<Time> available_since = std::nullopt;

  bool is_in_flight() const {
    return state == ClaimState::Reserved || state == ClaimState::Delivered;
  }
  bool operator==(const Claim&) const = default;
};

// One hosted cluster as an agent on the host sees it.
struct ObservedItem {
  std::string key;  // "namespace/name"
  bool is_available = false;

  auto operator<=>(const ObservedItem&) const = default;
};

// What the agent on the host has written down, exactly and all at one time.
struct ExactObservation {
  std::vector<ObservedItem> items = {};  // Sorted.
  Time at = {};
  std::optional<Time> valid_until = std::nullopt;
  KnownAmounts capacity = {};  // Allocatable of all nodes that take pods.
  KnownAmounts free = {};      // Of that, what no pod has asked for.

  bool operator==(const ExactObservation&) const = default;
};

struct HostingLedger {
  std::optional<std::int64_t> hosted_max = std::nullopt;
  std::optional<std::int64_t> threshold = std::nullopt;
  std::int64_t in_flight_max = 3;
  bool is_cordoned = false;
  std::int64_t overcommit_cpu = 100;  // In percent.
  std::int64_t overcommit_memory = 100;
  Amounts reserve = {};
  std::vector<Claim> claims = {};
  std::optional<ExactObservation> observed = std::nullopt;

  const Claim* find(std::string_view request_uid) const;
  bool operator==(const HostingLedger&) const = default;
};

HostingLedger read_ledger(const json::Value& object);

json::Value to_json(const Claim& claim);
json::Value to_json(const ExactObservation& observation);

json::Value new_ledger(std::string_view cluster);

// The object with these claims and nothing else changed.
json::Value with_claims(json::Value ledger, const std::vector<Claim>& claims);

}  // namespace berth::hosting
