#include "placement/explain.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "placement/registry.h"
#include "placement/remedy.h"

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
    } else if (!object_to(cluster, verdict)) {
      rank(cluster, verdict);
    }
    if (verdict.kind != Kind::Chosen) verdict.remedies = remedies(cluster, verdict.objections);
    return verdict;
  }

 private:
  std::vector<std::string> remedies(ClusterIndex cluster,
                                    const std::vector<Objection>& objections) const {
    if (schedule_.outcome.code == Outcome::Code::Misconfigured) {
      return {"a placement that is not misconfigured"};
    }
    std::vector<std::string> all;
    for (const Objection& objection : objections) {
      if (objection.remedy.empty()) return {};  // Against this one nothing helps.
      all.push_back(objection.remedy);
    }
    for (std::string& remedy : rank_remedies(request_, schedule_, cluster)) {
      all.push_back(std::move(remedy));
    }
    return all;
  }

  std::vector<Objection> availability(ClusterIndex cluster) const {
    if (request_.fleet.clusters()[cluster].is_deleting) {
      return {{.reason = "the cluster is being deleted", .remedy = ""}};
    }
    const auto sets = request_.fleet.sets().sets_of(cluster);
    const std::string in = sets.empty() ? "no cluster set" : fmt::format("[{}]", join(sets, ","));
    return {{.reason = fmt::format("is in {}, the placement may use [{}]", in,
                                   join(schedule_.eligible_sets, ",")),
             .remedy = "a cluster set that is bound to the namespace and wanted"}};
  }

  // Whether some filter rejects the cluster.
  bool object_to(ClusterIndex cluster, ClusterVerdict& verdict) const {
    if (schedule_.outcome.code == Outcome::Code::Misconfigured) {
      verdict.kind = Kind::Rejected;
      verdict.rejected_by = schedule_.outcome.plugin;
      verdict.objections = {{.reason = schedule_.outcome.message, .remedy = ""}};
      return true;
    }
    for (const Filter* filter : filters()) {
      auto objections = filter->objections(request_, cluster);
      if (objections.empty()) continue;
      verdict.kind = Kind::Rejected;
      if (verdict.rejected_by.empty()) verdict.rejected_by = filter->name();
      std::ranges::move(objections, std::back_inserter(verdict.objections));
    }
    if (std::ranges::find(schedule_.excluded, cluster) != schedule_.excluded.end()) {
      verdict.kind = Kind::Rejected;
      verdict.rejected_by = "MissingScores";
      verdict.objections.push_back(
          {.reason = "a score is missing or expired", .remedy = "a valid score"});
    }
    return verdict.kind == Kind::Rejected;
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

std::string why(const ClusterVerdict& verdict) {
  std::vector<std::string> parts;
  for (const Objection& objection : verdict.objections) parts.push_back(objection.reason);
  for (const ScoreLine& line : verdict.scores) {
    parts.push_back(fmt::format("{} {}x{}{}", line.prioritizer, line.points, line.weight,
                                line.note.empty() ? "" : " (" + line.note + ")"));
  }
  if (verdict.is_avoided) parts.emplace_back("tainted PreferNoSelect");
  if (!verdict.note.empty()) parts.push_back(verdict.note);
  if (!verdict.remedies.empty()) parts.push_back("needs " + join(verdict.remedies, " and "));
  return join(parts, "; ");
}

json::Value texts(const std::vector<std::string>& list) {
  json::Value array = json::Value::array();
  for (const std::string& text : list) array.push_back(text);
  return array;
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
  return Explaining(request, result).verdict(cluster);
}

json::Value to_json(const ClusterVerdict& verdict) {
  json::Value value =
      json::Value::object({{"cluster", verdict.cluster}, {"verdict", kind_name(verdict.kind)}});
  if (!verdict.rejected_by.empty()) value["rejectedBy"] = verdict.rejected_by;
  for (const Objection& objection : verdict.objections) {
    value["objections"].push_back(objection.reason);
  }
  for (const ScoreLine& line : verdict.scores) {
    json::Value score = json::Value::object(
        {{"prioritizer", line.prioritizer}, {"score", line.points}, {"weight", line.weight}});
    if (!line.note.empty()) score["note"] = line.note;
    value["scores"].push_back(std::move(score));
  }
  if (verdict.total) value["total"] = *verdict.total;
  if (verdict.rank) value["rank"] = *verdict.rank;
  if (verdict.is_incumbent) value["incumbent"] = true;
  if (verdict.is_avoided) value["avoided"] = true;
  if (!verdict.note.empty()) value["note"] = verdict.note;
  if (!verdict.remedies.empty()) value["needs"] = texts(verdict.remedies);
  return value;
}

json::Value to_json(const Explanation& explanation) {
  json::Value clusters = json::Value::array();
  for (const ClusterVerdict& verdict : explanation.clusters) clusters.push_back(to_json(verdict));
  const Schedule& schedule = explanation.schedule;
  json::Value value = json::Value::object({{"namespace", explanation.placement.object_namespace},
                                           {"placement", explanation.placement.name},
                                           {"clusterSets", texts(schedule.eligible_sets)},
                                           {"selected", schedule.chosen.size()},
                                           {"unscheduled", schedule.unscheduled},
                                           {"clusters", std::move(clusters)}});
  if (schedule.failure) value["error"] = schedule.failure->message;
  if (schedule.outcome.code == Outcome::Code::Misconfigured) {
    value["misconfigured"] = schedule.outcome.plugin + ":" + schedule.outcome.message;
  }
  if (!schedule.remarks.empty()) value["remarks"] = texts(schedule.remarks);
  if (schedule.valid_until) value["validUntil"] = format_seconds(*schedule.valid_until);
  return value;
}

std::vector<std::vector<std::string>> to_rows(const Explanation& explanation) {
  std::vector<std::vector<std::string>> rows;
  for (const ClusterVerdict& verdict : explanation.clusters) {
    rows.push_back({verdict.cluster, std::string(kind_name(verdict.kind)),
                    verdict.total ? std::to_string(*verdict.total) : "",
                    verdict.rank ? std::to_string(*verdict.rank) : "", why(verdict)});
  }
  return rows;
}

}  // namespace berth::placement
