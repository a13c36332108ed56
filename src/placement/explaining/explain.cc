#include "placement/explaining/explain.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/managed_cluster.h"
#include "api/kinds/managed_cluster_set.h"
#include "base/strings.h"
#include "placement/explaining/remedy.h"

namespace berth::placement {
namespace {

using Kind = ClusterVerdict::Kind;

class Explaining {
 public:
  Explaining(const Request& request, const Schedule& schedule)
      : request_(request), schedule_(schedule), order_(schedule.feasible) {
    std::ranges::sort(order_, [&request](const Ranked& a, const Ranked& b) {
      return comes_before(request.fleet, a, b);
    });
    for (const Ranked& chosen : schedule.chosen) chosen_.set(chosen.cluster);
  }

  ClusterVerdict verdict(std::string_view name) const {
    const auto index = request_.fleet.clusters().find(name);
    if (!index || !request_.fleet.clusters()[*index].exists) {
      return {.cluster = std::string(name), .kind = Kind::Unknown};
    }
    return verdict(*index);
  }

  ClusterVerdict verdict(ClusterIndex cluster) const {
    ClusterVerdict verdict{.cluster = request_.fleet.name(cluster),
                           .is_incumbent = request_.is_incumbent(cluster)};
    if (std::ranges::find(schedule_.available, cluster) == schedule_.available.end()) {
      verdict.kind = Kind::Unavailable;
      verdict.objections = availability(cluster);
      append_objections(cluster, verdict);
    } else if (!object_to(cluster, verdict)) {
      rank(cluster, verdict);
    }
    if (verdict.kind != Kind::Chosen) verdict.remedies = remedies(cluster, verdict.objections);
    return verdict;
  }

 private:
  std::vector<std::string> remedies(ClusterIndex cluster,
                                    const std::vector<Objection>& objections) const {
    if (schedule_.outcome.code == ScheduleOutcome::Code::Misconfigured && !schedule_.failure) {
      return {"a placement that is not misconfigured"};
    }
    std::vector<std::string> all;
    for (const Objection& objection : objections) {
      if (objection.remedy.empty()) return {};  // Against this one nothing helps.
      all.push_back(objection.remedy);
    }
    for (std::string& remedy : rank_remedies_once_accepted(cluster)) {
      all.push_back(std::move(remedy));
    }
    return all;
  }

  // A placement that changes to accept the cluster lets other clusters in, too: its rank is that
  // among all of them.
  std::vector<std::string> rank_remedies_once_accepted(ClusterIndex cluster) const {
    auto placement = std::make_shared<const CompiledPlacement>(request_.placement);
    bool has_changed = false;
    for (const auto& filter : request_.placement.filters) {
      if (auto remedied = filter->remedied(request_of(*placement), cluster)) {
        placement = std::move(remedied);
        has_changed = true;
      }
    }
    if (!has_changed) return rank_remedies(request_, schedule_, cluster);
    return rank_remedies(request_of(*placement),
                         schedule(*placement, request_.fleet, request_.now, request_.options),
                         cluster);
  }

  Request request_of(const CompiledPlacement& placement) const {
    return {.placement = placement,
            .fleet = request_.fleet,
            .past = request_.past,
            .options = request_.options,
            .now = request_.now};
  }

  std::vector<Objection> availability(ClusterIndex cluster) const {
    if (schedule_.failure) return {{.reason = schedule_.failure->message, .remedy = ""}};
    if (request_.fleet.clusters()[cluster].is_deleting) {
      return {{.reason = "the cluster is being deleted", .remedy = ""}};
    }
    const auto sets = request_.fleet.sets().sets_of(cluster);
    const std::string in = sets.empty() ? "no cluster set" : fmt::format("[{}]", join(sets, ","));
    return {{.reason = fmt::format("is in {}, the placement may use [{}]", in,
                                   join(schedule_.eligible_sets, ",")),
             .remedy = membership()}};
  }

  // What makes this cluster available, and no other one.
  std::string membership() const {
    for (const std::string& name : schedule_.eligible_sets) {
      const ClusterSet* set = request_.fleet.sets().find(name);
      if (set->is_exclusive()) return fmt::format("label {}={}", api::kClusterSetLabel, name);
    }
    return fmt::format("membership in a cluster set that is bound in namespace {}",
                       request_.placement.key.ns);
  }

  // Whether some filter rejects the cluster.
  bool object_to(ClusterIndex cluster, ClusterVerdict& verdict) const {
    append_objections(cluster, verdict);
    if (!verdict.objections.empty()) verdict.kind = Kind::Rejected;
    return verdict.kind == Kind::Rejected;
  }

  // What all filters say, and not only the first: all of it has to change.
  void append_objections(ClusterIndex cluster, ClusterVerdict& verdict) const {
    if (schedule_.failure) return;
    if (schedule_.outcome.code == ScheduleOutcome::Code::Misconfigured) {
      verdict.rejected_by = schedule_.outcome.plugin;
      verdict.objections.push_back({.reason = schedule_.outcome.message, .remedy = ""});
      return;
    }
    for (const auto& filter : request_.placement.filters) {
      auto objections = filter->objections(request_, cluster);
      if (objections.empty()) continue;
      if (verdict.rejected_by.empty()) verdict.rejected_by = filter->name();
      std::ranges::move(objections, std::back_inserter(verdict.objections));
    }
    if (request_.placement.missing_scores == MissingScores::Exclude) {
      append_silence(cluster, verdict);
    }
  }

  void append_silence(ClusterIndex cluster, ClusterVerdict& verdict) const {
    for (const auto& [prioritizer, weight] : request_.placement.prioritizers) {
      const Score score = prioritizer->rank(request_, std::span(&cluster, 1)).scores.front();
      if (!is_silence(score.note)) continue;
      if (verdict.rejected_by.empty()) verdict.rejected_by = "MissingScores";
      verdict.objections.push_back(
          {.reason = fmt::format("score {}: {}", prioritizer->name(), note_text(score.note)),
           .remedy = fmt::format("a valid score {}", prioritizer->name())});
    }
  }

  void rank(ClusterIndex cluster, ClusterVerdict& verdict) const {
    verdict.kind = chosen_.test(cluster) ? Kind::Chosen : Kind::Outranked;
    const auto place = std::ranges::find(order_, cluster, &Ranked::cluster);
    if (place == order_.end()) return;
    verdict.rank = static_cast<std::size_t>(place - order_.begin()) + 1;
    verdict.total = place->total;
    verdict.is_avoided = place->is_avoided;
    const auto column = std::ranges::find(schedule_.feasible, cluster, &Ranked::cluster);
    const auto i = static_cast<std::size_t>(column - schedule_.feasible.begin());
    for (const PrioritizerRecord& record : schedule_.prioritizers) {
      verdict.scores.push_back({.prioritizer = record.name,
                                .points = record.scores[i].points,
                                .weight = record.weight,
                                .note = std::string(note_text(record.scores[i].note))});
    }
    for (const HeldMove& held : schedule_.held) {
      if (held.incumbent != cluster && held.rival != cluster) continue;
      verdict.note =
          fmt::format("{} leads {} by {}, margin {}", request_.fleet.name(held.rival),
                      request_.fleet.name(held.incumbent), held.lead, request_.placement.min_gain);
    }
  }

  const Request& request_;
  const Schedule& schedule_;
  std::vector<Ranked> order_;  // The feasible, best first.
  ClusterBits chosen_;
};

// A cluster that is in a set becomes available with it; so do the set's other clusters. What else
// is needed then is found by explaining that world. Nullopt when there is no such way.
std::optional<std::vector<std::string>> set_remedies(const Request& request,
                                                     const ClusterVerdict& verdict) {
  const auto index = request.fleet.clusters().find(verdict.cluster);
  if (!index || request.fleet.clusters()[*index].is_deleting) return std::nullopt;
  const std::string& ns = request.placement.key.ns;
  const std::string* smallest = nullptr;
  const auto sets = request.fleet.sets().sets_of(*index);
  for (const std::string& name : sets) {
    const auto size = [&](const std::string& set) {
      return request.fleet.sets().find(set)->members().indices().size();
    };
    if (!smallest || size(name) < size(*smallest)) smallest = &name;
  }
  if (!smallest) return std::nullopt;

  std::vector<std::string> remedies;
  FleetView fleet = request.fleet;
  CompiledPlacement placement = request.placement;
  if (!fleet.sets().bound_in(ns).contains(*smallest)) {
    api::ManagedClusterSetBinding binding;
    binding.facts.name = *smallest;
    binding.facts.object_namespace = ns;
    fleet.put_binding(binding);
    remedies.push_back(fmt::format("a binding of cluster set {} in namespace {}", *smallest, ns));
  }
  auto& wanted = placement.placement.cluster_sets;
  if (!wanted.empty() && std::ranges::find(wanted, *smallest) == wanted.end()) {
    wanted.push_back(*smallest);
    remedies.push_back(fmt::format("{} in spec.clusterSets", *smallest));
  }
  if (remedies.empty()) return std::nullopt;
  const ClusterVerdict then =
      explain_cluster(placement, fleet, request.now, request.options, verdict.cluster);
  if (then.kind != Kind::Chosen && then.remedies.empty()) return std::vector<std::string>{};
  remedies.insert(remedies.end(), then.remedies.begin(), then.remedies.end());
  return remedies;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::Chosen:
      return "Chosen";
    case Kind::Outranked:
      return "Outranked";
    case Kind::Rejected:
      return "Rejected";
    case Kind::Unavailable:
      return "Unavailable";
    case Kind::Unknown:
      return "Unknown";
  }
  return "";
}

Explanation explain(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                    const Options& options) {
  Explanation explanation{.placement = placement.key,
                          .schedule = schedule(placement, fleet, now, options)};
  const PastDecisions past = fleet.decisions().past_decisions(placement.key);
  const Request request{
      .placement = placement, .fleet = fleet, .past = past, .options = options, .now = now};
  const Explaining explaining(request, explanation.schedule);
  for (const ClusterIndex cluster : explanation.schedule.available) {
    explanation.clusters.push_back(explaining.verdict(cluster));
  }
  std::ranges::sort(explanation.clusters, [](const ClusterVerdict& a, const ClusterVerdict& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return std::pair(a.rank, std::string_view(a.cluster)) <
           std::pair(b.rank, std::string_view(b.cluster));
  });
  return explanation;
}

ClusterVerdict explain_cluster(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                               const Options& options, std::string_view cluster) {
  const Schedule result = schedule(placement, fleet, now, options);
  const PastDecisions past = fleet.decisions().past_decisions(placement.key);
  const Request request{
      .placement = placement, .fleet = fleet, .past = past, .options = options, .now = now};
  ClusterVerdict verdict = Explaining(request, result).verdict(cluster);
  if (verdict.kind == Kind::Unavailable && !result.failure) {
    if (auto remedies = set_remedies(request, verdict)) verdict.remedies = std::move(*remedies);
  }
  return verdict;
}

}  // namespace berth::placement
