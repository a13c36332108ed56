#include "nodes/filters/pod_reservation.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/rfc3339.h"

namespace berth::nodes {
namespace {

constexpr std::size_t kNamedMax = 3;

std::int64_t add_saturated(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::string describe(const StandingHold& standing) {
  const Hold& hold = *standing.hold;
  std::string text = fmt::format("{} for owner {}", hold.name, hold.owner_uid);
  if (hold.expires) text += fmt::format(" until {}", format_seconds(*hold.expires));
  return text;
}

class Test final : public NodeTest {
 public:
  explicit Test(const Cycle& cycle) : cycle_(cycle) {}

  std::size_t keep(std::span<NodeSlot> nodes) const override {
    return keep_if(nodes, [this](NodeSlot node) {
      return !cycle_.snapshot.has_holds(node) || find_short(node, nullptr).empty();
    });
  }

  std::vector<Objection> objections(NodeSlot node) const override {
    HoldsAgainst against;
    const std::vector<std::string> missing = find_short(node, &against);
    if (missing.empty()) return {};
    std::string names;
    for (std::size_t i = 0; i < against.holds.size() && i < kNamedMax; ++i) {
      names += (names.empty() ? "" : ", ") + describe(*against.holds[i]);
    }
    if (against.holds.size() > kNamedMax) {
      names += fmt::format(" and {} more", against.holds.size() - kNamedMax);
    }
    std::string list;
    for (const std::string& resource : missing) list += (list.empty() ? "" : ", ") + resource;
    // Evicting whoever runs there would not open what is held.
    return {{.reason = fmt::format("Insufficient {} because of reserved room ({})", list, names),
             .is_resolvable = false}};
  }

 private:
  // The resources that are there, but held. What is short without any hold is for others to say.
  std::vector<std::string> find_short(NodeSlot node, HoldsAgainst* found) const {
    std::vector<std::string> missing;
    HoldsAgainst against = holds_against(cycle_, node);
    const Snapshot& snapshot = cycle_.snapshot;
    for (const Need& held : against.needs) {
      const std::int64_t need = amount_in(cycle_.needs, held.column);
      const std::int64_t free = snapshot.free(held.column)[node];
      const bool is_held = free < add_saturated(need, held.amount);
      if (is_held) missing.push_back(snapshot.columns().name(held.column));
    }
    if (const HostPort* port = find_conflict(cycle_.pod.facts.ports, against.ports)) {
      missing.push_back(fmt::format("host port {}", port->port));
    }
    if (found) *found = std::move(against);
    return missing;
  }

  const Cycle& cycle_;
};

}  // namespace

HoldsAgainst holds_against(const Cycle& cycle, NodeSlot node) {
  HoldsAgainst against;
  const Claimant claimant = cycle.claimant();
  const StandingHold* claim = cycle.snapshot.claim_on(node, claimant);
  for (const StandingHold& standing : cycle.snapshot.holds(node)) {
    if (&standing == claim || standing.hold->priority < claimant.priority) continue;
    bool matters = find_conflict(cycle.pod.facts.ports, standing.ports) != nullptr;
    for (const Need& held : standing.needs) {
      if (amount_in(cycle.needs, held.column) == 0) continue;
      matters = true;
      const auto place = std::ranges::lower_bound(against.needs, held.column, {}, &Need::column);
      if (place != against.needs.end() && place->column == held.column) {
        place->amount = add_saturated(place->amount, held.amount);
      } else {
        against.needs.insert(place, held);
      }
    }
    against.ports.insert(against.ports.end(), standing.ports.begin(), standing.ports.end());
    if (matters) against.holds.push_back(&standing);
  }
  return against;
}

std::unique_ptr<NodeTest> PodReservation::prepare(const Cycle& cycle) const {
  if (cycle.snapshot.all_holds().empty()) return nullptr;
  return std::make_unique<Test>(cycle);
}

}  // namespace berth::nodes
