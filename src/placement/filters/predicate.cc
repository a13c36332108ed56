#include "placement/filters/predicate.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/strings.h"
#include "placement/bound_selector.h"
#include "placement/request.h"
#include "placement/stopwatch.h"

namespace berth::placement {
namespace {

// For all expressions of one predicate on one cluster, in the units of the expression language.
constexpr std::uint64_t kCostMax = 10'000'000;

// Drops the places whose cluster an expression does not match. Places are indices of candidates.
// Returns on how many the expressions were too expensive.
std::size_t match_expressions(const Request& request, const Predicate& predicate,
                              std::span<const ClusterIndex> candidates,
                              std::vector<std::size_t>& places) {
  std::size_t too_expensive = 0;
  std::vector<std::uint64_t> costs(candidates.size());
  for (const auto& expression : predicate.expressions) {
    std::vector<ClusterIndex> clusters;
    clusters.reserve(places.size());
    for (const std::size_t place : places) clusters.push_back(candidates[place]);
    const auto answers = timed(
        request.options.stopwatch, [&] { return expression->evaluate(request, clusters); },
        [&](Stopwatch& stopwatch, Duration length) {
          stopwatch.expression_ran(clusters.size(), length);
        });
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < places.size(); ++i) {
      costs[places[i]] += answers[i].cost;
      const bool is_too_expensive = answers[i].is_too_expensive || costs[places[i]] > kCostMax;
      if (is_too_expensive) ++too_expensive;
      if (answers[i].matches && !is_too_expensive) rest.push_back(places[i]);
    }
    places = std::move(rest);
  }
  return too_expensive;
}

// Marks the candidates that the predicate matches. Returns as match_expressions() does.
std::size_t match(const Request& request, const Predicate& predicate,
                  std::span<const ClusterIndex> candidates, std::vector<bool>& matched) {
  const BoundSelector labels(predicate.labels, request.fleet.symbols());
  const BoundSelector claims(predicate.claims, request.fleet.symbols());
  if (labels.constant() == false || claims.constant() == false) return 0;
  std::vector<std::size_t> places;
  places.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Cluster& cluster = request.fleet.clusters()[candidates[i]];
    if (!matched[i] && labels.matches(cluster.labels) && claims.matches(cluster.claims)) {
      places.push_back(i);
    }
  }
  std::size_t too_expensive = 0;
  if (!predicate.expressions.empty()) {
    too_expensive = match_expressions(request, predicate, candidates, places);
  }
  for (const std::size_t place : places) matched[place] = true;
  return too_expensive;
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
    const auto answer = expression->evaluate(request, std::span(&cluster, 1)).front();
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
  std::vector<bool> matched(candidates.size());
  std::size_t too_expensive = 0;
  for (const Predicate& predicate : placement.predicates) {
    too_expensive += match(request, predicate, candidates, matched);
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
