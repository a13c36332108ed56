#include "hosting/hosting_ledger.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using api::field;
using api::text_field;
using json::Value;

constexpr std::array<std::pair<ClaimState, std::string_view>, 4> kStates = {
    {{ClaimState::Reserved, "Reserved"},
     {ClaimState::Delivered, "Delivered"},
     {ClaimState::Observed, "Observed"},
     {ClaimState::Releasing, "Releasing"}}};

// A state that we do not know is one that holds the room.
ClaimState state_of_name(std::string_view name) {
  for (const auto& [state, known] : kStates) {
    if (known == name) return state;
  }
  return ClaimState::Reserved;
}

Claim read_claim(const Value& value) {
  const Value& reference = field(value, "requestRef");
  const KnownAmounts size = read_known_amounts(field(value, "size"));
  Claim claim{.request_uid = text_field(value, "requestUID"),
              .request_namespace = text_field(reference, "namespace"),
              .request_name = text_field(reference, "name"),
              .hosted_cluster = text_field(value, "hostedCluster"),
              .state = state_of_name(text_field(value, "state")),
              .attempt = api::integer_field(value, "attempt").value_or(1),
              .since = api::time_field(value, "since").value_or(Time()),
              .delivered_since = api::time_field(value, "deliveredSince"),
              .available_since = api::time_field(value, "availableSince")};
  for (const Resource resource : kResources) {
    if (const auto amount = size[resource])
      claim.size[resource] = std::max<std::int64_t>(*amount, 0);
  }
  return claim;
}

std::optional<ExactObservation> read_observation(const Value& value) {
  const auto at = api::time_field(value, "time");
  if (!at) return std::nullopt;
  ExactObservation observation{.at = *at,
                               .valid_until = api::time_field(value, "validUntil"),
                               .capacity = read_known_amounts(field(value, "capacity")),
                               .free = read_known_amounts(field(value, "free"))};
  for (const Value& item : api::elements_field(value, "items")) {
    observation.items.push_back(
        {.key = text_field(item, "namespace") + "/" + text_field(item, "name"),
         .is_available = field(item, "available").as_bool().value_or(false)});
  }
  std::ranges::sort(observation.items);
  return observation;
}

std::int64_t percent_field(const Value& object, std::string_view name) {
  const auto percent = api::integer_field(object, name).value_or(100);
  return std::clamp<std::int64_t>(percent, 1, 1000);
}

}  // namespace

std::string_view claim_state_name(ClaimState state) {
  for (const auto& [known, name] : kStates) {
    if (known == state) return name;
  }
  return "";
}

const Claim* HostingLedger::find(std::string_view request_uid) const {
  const auto found = std::ranges::find(claims, request_uid, &Claim::request_uid);
  return found == claims.end() ? nullptr : &*found;
}

HostingLedger read_ledger(const Value& object) {
  const Value& spec = field(object, "spec");
  const Value& status = field(object, "status");
  const Value& overcommit = field(spec, "overcommitPercent");
  HostingLedger ledger{
      .hosted_max = api::integer_field(spec, "maxHostedClusters"),
      .threshold = api::integer_field(spec, "thresholdHostedClusters"),
      .in_flight_max = std::max<std::int64_t>(
          api::integer_field(spec, "maxInFlight").value_or(HostingLedger().in_flight_max), 0),
      .is_cordoned = field(spec, "cordoned").as_bool().value_or(false),
      .overcommit_cpu = percent_field(overcommit, "cpu"),
      .overcommit_memory = percent_field(overcommit, "memory"),
      .observed = read_observation(field(status, "observed"))};
  const KnownAmounts reserve = read_known_amounts(field(spec, "reserve"));
  for (const Resource resource : kResources) {
    ledger.reserve[resource] = std::max<std::int64_t>(reserve[resource].value_or(0), 0);
  }
  for (const Value& claim : api::elements_field(status, "claims")) {
    ledger.claims.push_back(read_claim(claim));
  }
  return ledger;
}

Value to_json(const Claim& claim) {
  Value value = Value::object({{"requestUID", claim.request_uid},
                               {"requestRef", Value::object({{"namespace", claim.request_namespace},
                                                             {"name", claim.request_name}})},
                               {"hostedCluster", claim.hosted_cluster},
                               {"size", to_json(claim.size)},
                               {"state", claim_state_name(claim.state)},
                               {"attempt", claim.attempt},
                               {"since", format_seconds(claim.since)}});
  if (claim.delivered_since) value["deliveredSince"] = format_seconds(*claim.delivered_since);
  if (claim.available_since) value["availableSince"] = format_seconds(*claim.available_since);
  return value;
}

Value to_json(const ExactObservation& observation) {
  Value items = Value::array();
  for (const ObservedItem& item : observation.items) {
    const std::size_t slash = item.key.find('/');
    items.push_back(Value::object({{"namespace", item.key.substr(0, slash)},
                                   {"name", item.key.substr(slash + 1)},
                                   {"available", item.is_available}}));
  }
  Value value = Value::object({{"count", observation.items.size()},
                               {"time", format_seconds(observation.at)},
                               {"capacity", to_json(observation.capacity)},
                               {"free", to_json(observation.free)},
                               {"items", std::move(items)}});
  if (observation.valid_until) value["validUntil"] = format_seconds(*observation.valid_until);
  return value;
}

Value new_ledger(std::string_view cluster) {
  return Value::object(
      {{"apiVersion", fmt::format("{}/v1alpha1", kGroup)},
       {"kind", "HostingLedger"},
       {"metadata", Value::object({{"name", kLedgerName}, {"namespace", cluster}})},
       {"spec", Value::object()}});
}

Value with_claims(Value ledger, const std::vector<Claim>& claims) {
  Value list = Value::array();
  for (const Claim& claim : claims) list.push_back(to_json(claim));
  ledger["status"]["claims"] = std::move(list);
  return ledger;
}

}  // namespace berth::hosting
