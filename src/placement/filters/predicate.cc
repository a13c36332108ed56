#include "placement/filters/predicate.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/strings.h"
#include "placement/fleet/bound_selector.h"
#include "placement/request.h"
#include "placement/stopwatch.h"

namespace berth::placement {
namespace {

// For all expressions of one predicate on one cluster, in the units of the expression language.
constexpr std::uint64_t kCostMax = 10'000'000;

using Progress = ScheduleRun::Progress;

struct Matching {
  std::size_t too_expensive = 0;  // On so many clusters.
  bool is_complete = true;        // Else slice or budget have ended; who was not asked matches.
};

// Asks as many of the clusters as the run allows.
void ask(const Request& request, const Predicate& predicate, std::vector<Progress>& progress,
         ScheduleRun& run) {
  for (std::uint32_t number = 0; number < predicate.expressions.size(); ++number) {
    std::vector<ClusterIndex> clusters;
    std::vector<Progress*> asked;
    for (Progress& one : progress) {
      if (one.answered != number || !one.matches) continue;
      clusters.push_back(one.cluster);
      asked.push_back(&one);
    }
    const Expression& expression = *predicate.expressions[number];
    const auto answers = timed(
        request.options.stopwatch,
        [&] { return expression.evaluate(request, clusters, run.allowance()); },
        [&](Stopwatch& stopwatch, Duration length, const auto& answered) {
          stopwatch.expression_ran(answered.size(), length);
        });
    for (std::size_t i = 0; i < answers.size(); ++i) {
      Progress& one = *asked[i];
      ++one.answered;
      one.cost += answers[i].cost;
      one.is_too_expensive = answers[i].is_too_expensive || one.cost > kCostMax;
      one.matches = answers[i].matches && !one.is_too_expensive;
      run.spend(answers[i].cost + kEvaluationCost);
    }
  }
}

// Drops the places whose cluster an expression does not match. Places are indices of candidates.
Matching match_expressions(const Request& request, std::size_t predicate,
                           std::span<const ClusterIndex> candidates,
                           std::vector<std::size_t>& places, ScheduleRun& run) {
  const Predicate& asking = request.placement.predicates[predicate];
  std::vector<Progress> fresh(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    fresh[i].cluster = candidates[places[i]];
    fresh[i].version = request.fleet.clusters()[fresh[i].cluster].version;
  }
  std::vector<Progress> progress = run.resume(predicate, std::move(fresh));
  ask(request, asking, progress, run);
  Matching matching;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Progress& one = progress[i];
    if (one.is_too_expensive) ++matching.too_expensive;
    if (!one.matches) continue;
    rest.push_back(places[i]);
    if (one.answered < asking.expressions.size()) matching.is_complete = false;
  }
  places = std::move(rest);
  run.remember(predicate, std::move(progress));
  return matching;
}

// Marks the candidates that the predicate matches.
Matching match(const Request& request, std::size_t number, std::span<const ClusterIndex> candidates,
               std::vector<bool>& matched, ScheduleRun& run) {
  const Predicate& predicate = request.placement.predicates[number];
  const BoundSelector labels(predicate.labels, request.fleet.symbols());
  const BoundSelector claims(predicate.claims, request.fleet.symbols());
  if (labels.constant() == false || claims.constant() == false) return {};
  std::vector<std::size_t> places;
  places.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Cluster& cluster = request.fleet.clusters()[candidates[i]];
    if (!matched[i] && labels.matches(cluster.labels) && claims.matches(cluster.claims)) {
      places.push_back(i);
    }
  }
  Matching matching;
  if (!predicate.expressions.empty()) {
    matching = match_expressions(request, number, candidates, places, run);
  }
  for (const std::size_t place : places) matched[place] = true;
  return matching;
}

std::optional<Time> reports_end(const Request& request, const Expression& expression,
                                ClusterIndex cluster) {
  std::optional<Time> end;
  const ScoreUse& use = expression.score_use();
  for (const ScoreReport& report : request.fleet.clusters()[cluster].reports) {
    const bool is_read = use.any || std::ranges::binary_search(
                                        use.names, request.fleet.symbols().text(report.resource));
    if (is_read && !request.is_expired(report)) end = earlier(end, report.valid_until);
  }
  return end;
}

// A report that expires is gone for expressions, which may let a cluster in as well as out.
std::optional<Time> valid_until(const Request& request, std::span<const ClusterIndex> candidates) {
  std::optional<Time> end;
  if (request.options.expressions_see_expired_scores) return end;
  for (const Predicate& predicate : request.placement.predicates) {
    for (const auto& expression : predicate.expressions) {
      const ScoreUse& use = expression->score_use();
      if (!use.any && use.names.empty()) continue;
      for (const ClusterIndex cluster : candidates) {
        end = earlier(end, reports_end(request, *expression, cluster));
      }
    }
  }
  return end;
}

// What the objects' requirement says, with what is there instead.
Objection objection(std::string_view what, const api::LabelRequirement& requirement,
                    std::optional<std::string_view> value) {
  const std::string actual = value ? fmt::format("is {}", quote(*value)) : std::string("is absent");
  return {.reason = fmt::format("{} {} {}, wanted {}", what, requirement.key(), actual,
                                requirement.to_string()),
          .remedy = fmt::format("{} {}", what, requirement.to_string())};
}

std::vector<Objection> objections_of(const Request& request, const Predicate& predicate,
                                     ClusterIndex cluster) {
  std::vector<Objection> objections;
  const auto check = [&](std::string_view what, const api::LabelSelector& selector,
                         const auto& value_of) {
    for (const api::LabelRequirement& requirement : selector.requirements()) {
      const std::optional<std::string_view> value = value_of(requirement.key());
      const api::Label label{requirement.key(), std::string(value.value_or(""))};
      const api::Labels one =
          value ? api::Labels(std::span<const api::Label>(&label, 1)) : api::Labels();
      if (!requirement.matches(one)) objections.push_back(objection(what, requirement, value));
    }
  };
  check("label", predicate.labels,
        [&](const std::string& key) { return request.fleet.label(cluster, key); });
  check("claim", predicate.claims,
        [&](const std::string& key) { return request.fleet.claim(cluster, key); });
  std::uint64_t cost = 0;
  for (const auto& expression : predicate.expressions) {
    const auto answer = expression->evaluate(request, std::span(&cluster, 1), 1).front();
    cost += answer.cost;
    if (answer.matches && cost <= kCostMax) continue;
    if (answer.matches) {
      objections.push_back({.reason = fmt::format("expression {} and those before it cost {}, "
                                                  "at most {} is allowed",
                                                  quote(expression->text()), cost, kCostMax),
                            .remedy = "cheaper expressions"});
      continue;
    }
    const std::string error = expression->error(request, cluster);
    const std::string why = error.empty() ? "" : fmt::format(" ({})", error);
    objections.push_back(
        {.reason = fmt::format("expression {} is not true{}", quote(expression->text()), why),
         .remedy = fmt::format("expression {} true", quote(expression->text()))});
  }
  return objections;
}

}  // namespace

Reads PredicateFilter::reads(const CompiledPlacement& placement) const {
  Reads reads;
  for (const Predicate& predicate : placement.predicates) {
    reads.add_labels(predicate.labels);
    reads.add_claims(predicate.claims);
    for (const auto& expression : predicate.expressions) {
      const ScoreUse& use = expression->score_use();
      reads.add({.whole_objects = true,
                 .any_score = use.any,
                 .reports = {use.names.begin(), use.names.end()}});
    }
  }
  return reads;
}

Filtered PredicateFilter::filter(const Request& request,
                                 std::span<const ClusterIndex> candidates) const {
  Filtered filtered;
  const CompiledPlacement& placement = request.placement;
  const bool says_nothing = placement.placement.predicates.empty() || candidates.empty();
  if (says_nothing || placement.predicate_problem) {
    filtered.passed.assign(candidates.begin(), candidates.end());
    if (!says_nothing) filtered.misconfigured = placement.predicate_problem;
    return filtered;
  }
  ScheduleRun whole(request.now, request.options.expression_budget);
  ScheduleRun& run = request.run ? *request.run : whole;
  std::vector<bool> matched(candidates.size());
  std::size_t too_expensive = 0;
  for (std::size_t i = 0; i < placement.predicates.size(); ++i) {
    const Matching matching = match(request, i, candidates, matched, run);
    too_expensive += matching.too_expensive;
    if (matching.is_complete) continue;
    if (!run.is_over_budget()) return {.is_paused = true};
    filtered.misconfigured = run.over_budget_message();
  }
  if (too_expensive > 0) {
    filtered.remark = fmt::format(
        "expressions cost more than is allowed on {} of {} clusters, which count as not matched",
        too_expensive, candidates.size());
  }
  filtered.passed.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (matched[i]) filtered.passed.push_back(candidates[i]);
  }
  filtered.valid_until = valid_until(request, candidates);
  return filtered;
}

// Of the predicates, the one that is closest to matching.
std::vector<Objection> PredicateFilter::objections(const Request& request,
                                                   ClusterIndex cluster) const {
  std::optional<std::vector<Objection>> fewest;
  for (const Predicate& predicate : request.placement.predicates) {
    auto found = objections_of(request, predicate, cluster);
    if (!fewest || found.size() < fewest->size()) fewest = std::move(found);
  }
  return fewest.value_or(std::vector<Objection>{});
}

}  // namespace berth::placement
