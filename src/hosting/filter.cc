#include "hosting/filter.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace berth::hosting {
namespace {

// --- Whether it is a host for this request -------------------------------------------------------

bool is_selected(const Question& question, HostIndex host) {
  return question.is_selected(question.host(host));
}

std::string why_not_selected(const Question& question, HostIndex /*host*/) {
  const auto& placement = question.request().placement;
  return placement ? fmt::format("the placement {} has not chosen it", *placement)
                   : "spec.clusterSelector does not match it";
}

bool is_hosting(const Question& question, HostIndex host) { return question.host(host).is_hosting; }

std::string why_not_hosting(const Question& /*question*/, HostIndex /*host*/) {
  return "it does not claim to be a hosting cluster";
}

// --- Whether it is well --------------------------------------------------------------------------

bool is_accepted(const Question& question, HostIndex host) {
  return question.host(host).is_accepted && !question.host(host).is_deleting;
}

std::string why_not_accepted(const Question& question, HostIndex host) {
  return question.host(host).is_deleting ? "it is being removed from the hub"
                                         : "the hub has not accepted it";
}

bool is_available(const Question& question, HostIndex host) {
  return question.host(host).is_available;
}

std::string why_not_available(const Question& /*question*/, HostIndex /*host*/) {
  return "it is not available";
}

const api::Taint* repelling_taint(const Question& question, HostIndex host) {
  // A placement has looked at them, and has tolerations.
  if (question.request().placement) return nullptr;
  constexpr std::array kEffects = {api::TaintEffect::NoSelect, api::TaintEffect::NoSelectIfNew};
  return api::find_untolerated(question.host(host).taints, {}, kEffects);
}

bool is_untainted(const Question& question, HostIndex host) {
  return repelling_taint(question, host) == nullptr;
}

std::string why_tainted(const Question& question, HostIndex host) {
  return "it has the taint " + api::to_string(*repelling_taint(question, host));
}

bool is_open(const Question& question, HostIndex host) {
  return !question.host(host).ledger.is_cordoned;
}

std::string why_not_open(const Question& /*question*/, HostIndex /*host*/) {
  return "it is cordoned";
}

bool is_fresh(const Question& question, HostIndex host) {
  return question.host(host).has_ledger &&
         staleness(question.host(host).observation, question.now()).empty();
}

std::string why_not_fresh(const Question& question, HostIndex host) {
  if (!question.host(host).has_ledger) return "it has no ledger yet";
  return staleness(question.host(host).observation, question.now());
}

// --- Whether there is room -----------------------------------------------------------------------

bool is_not_full(const Question& question, HostIndex host) {
  return !question.host(host).says_full;
}

std::string why_full(const Question& /*question*/, HostIndex /*host*/) {
  return "it claims to be full";
}

bool has_slot(const Question& question, HostIndex host) {
  const Host& asked = question.host(host);
  return asked.load.total() + 1 <= asked.thresholds.hosted_max;
}

std::string why_no_slot(const Question& question, HostIndex host) {
  const Host& asked = question.host(host);
  return fmt::format("it has {} of at most {} hosted clusters, {} of them claimed here",
                     asked.load.total(), asked.thresholds.hosted_max, asked.load.claimed);
}

std::optional<Resource> scarce_resource(const Question& question, HostIndex host) {
  const Host& asked = question.host(host);
  for (const Resource resource : kResources) {
    const auto free = asked.load.free[resource];
    const std::int64_t wanted = question.request().size[resource] + asked.ledger.reserve[resource];
    if (free && *free < wanted) return resource;
  }
  return std::nullopt;
}

bool has_room(const Question& question, HostIndex host) { return !scarce_resource(question, host); }

std::string why_no_room(const Question& question, HostIndex host) {
  const Host& asked = question.host(host);
  const Resource scarce = *scarce_resource(question, host);
  const std::int64_t reserve = asked.ledger.reserve[scarce];
  std::string text =
      fmt::format("it has {} {} left of {}, and {} are needed", resource_name(scarce),
                  amount_text(scarce, *asked.load.free[scarce]),
                  amount_text(scarce, *asked.load.capacity[scarce]),
                  amount_text(scarce, question.request().size[scarce]));
  if (reserve > 0) text += fmt::format(" besides the reserve of {}", amount_text(scarce, reserve));
  return text;
}

bool has_hands(const Question& question, HostIndex host) {
  const Host& asked = question.host(host);
  return asked.load.in_flight < asked.ledger.in_flight_max;
}

std::string why_no_hands(const Question& question, HostIndex host) {
  const Host& asked = question.host(host);
  return fmt::format("{} hosted clusters are on their way to it, and {} may be",
                     asked.load.in_flight, asked.ledger.in_flight_max);
}

// --- Whom it would be with -----------------------------------------------------------------------

bool is_apart(const Question& question, HostIndex host) {
  const auto& terms = question.request().anti_affinities;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].is_required && question.anti_affinities()[i].there[host] > 0) return false;
  }
  return true;
}

std::string why_not_apart(const Question& question, HostIndex host) {
  const auto& terms = question.request().anti_affinities;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::int32_t there = question.anti_affinities()[i].there[host];
    if (!terms[i].is_required || there <= 0) continue;
    return fmt::format("{} of those it must not be with are in {}", there,
                       *place_in(terms[i].topology, question.host(host)));
  }
  return "";
}

// The first required term that the host would violate.
std::optional<std::size_t> skewed_term(const Question& question, HostIndex host) {
  const auto& terms = question.request().spreads;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].is_required) continue;
    const Question::Places& places = question.spreads()[i];
    if (places.there[host] == Question::kNowhere) return i;
    if (places.there[host] + 1 - places.lowest > terms[i].max_skew) return i;
  }
  return std::nullopt;
}

bool is_even(const Question& question, HostIndex host) { return !skewed_term(question, host); }

std::string why_not_even(const Question& question, HostIndex host) {
  const std::size_t term = *skewed_term(question, host);
  const SpreadTerm& spread = question.request().spreads[term];
  const Question::Places& places = question.spreads()[term];
  if (places.there[host] == Question::kNowhere) {
    return fmt::format("it has no {}", spread.topology.key);
  }
  return fmt::format("{} would have {}, another place has {}, and maxSkew is {}",
                     *place_in(spread.topology, question.host(host)), places.there[host] + 1,
                     places.lowest, spread.max_skew);
}

constexpr Filter kFilters[] = {
    {"Selected", is_selected, why_not_selected, "are not selected by the request",
     "widen spec.placementRef or spec.clusterSelector"},
    {"Hosting", is_hosting, why_not_hosting, "are not hosting clusters",
     "install HyperShift's add-on, or run berth agent with the part hosting there"},
    {"Accepted", is_accepted, why_not_accepted, "are not accepted by the hub",
     "accept them with berth accept"},
    {"Available", is_available, why_not_available, "are not available",
     "look after their registration agents"},
    {"Taints", is_untainted, why_tainted, "have taints",
     "remove the taint, or name a Placement that tolerates it"},
    {"Cordoned", is_open, why_not_open, "are cordoned", "run berth cordon hosting NAME --undo"},
    {"Observed", is_fresh, why_not_fresh, "have no fresh report of their load",
     "look after the agent that publishes hosted-clusters-score or the ledger's observation"},
    {"Full", is_not_full, why_full, "claim to be full",
     "raise hcMaxNumber, or add a hosting cluster"},
    {"Slots", has_slot, why_no_slot, "are at their maximum",
     "raise maxHostedClusters in their HostingLedger, or add a hosting cluster"},
    {"Room", has_room, why_no_room, "lack cpu, memory or pods",
     "ask for less in spec.size, add nodes, or add a hosting cluster"},
    {"InFlight", has_hands, why_no_hands, "are busy with others",
     "wait, or raise maxInFlight in their HostingLedger"},
    {"AntiAffinity", is_apart, why_not_apart, "have what it must not be with",
     "add a hosting cluster elsewhere, or give spec.antiAffinity a weight instead of required"},
    {"Spread", is_even, why_not_even, "would be too many in one place",
     "make room in the emptiest place, raise maxSkew, or use ScheduleAnyway"},
};

}  // namespace

std::span<const Filter> filters() { return kFilters; }

}  // namespace berth::hosting
