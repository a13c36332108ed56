#include "hosting/decide.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/strings.h"
#include "hosting/filter.h"
#include "hosting/scorer.h"

namespace berth::hosting {
namespace {

// The index of the first filter that says no; nullopt: all say yes.
std::optional<std::size_t> refusing_filter(const Question& question, HostIndex host) {
  const auto all = filters();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].passes(question, host)) return i;
  }
  return std::nullopt;
}

std::int32_t total_points(const Question& question, HostIndex host) {
  std::int32_t total = 0;
  for (const Scorer& scorer : scorers()) total += scorer.points(question, host);
  return total;
}

// Less is better. Equal hosts are told apart by a hash of both, so that no name is favoured.
using Rank = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint64_t, std::string_view>;

Rank rank_of(const Question& question, HostIndex index, std::int32_t points) {
  const Host& host = question.host(index);
  const bool packs = question.request().strategy == Strategy::Pack;
  const std::int64_t load = packs ? -host.load.total() : host.load.total();
  return {-std::int64_t{points}, host.load.in_flight, load,
          hash64(host.name, hash64(question.request().facts.uid)), host.name};
}

}  // namespace

Decision decide(const Question& question) {
  Decision decision{.refused = std::vector<std::uint32_t>(filters().size())};
  std::optional<Rank> best;
  for (HostIndex i = 0; i < question.fleet().hosts().size(); ++i) {
    if (const auto refusing = refusing_filter(question, i)) {
      ++decision.refused[*refusing];
      continue;
    }
    const Rank rank = rank_of(question, i, total_points(question, i));
    if (best && *best <= rank) continue;
    best = rank;
    decision.host = i;
  }
  return decision;
}

std::string refusal_text(const Question& question, const Decision& decision) {
  const std::size_t hosts = question.fleet().hosts().size();
  if (hosts == 0) {
    return "there are no hosting clusters: install HyperShift's add-on on a managed cluster";
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < decision.refused.size(); ++i) {
    if (decision.refused[i] == 0) continue;
    const Filter& filter = filters()[i];
    parts.push_back(fmt::format("{} {} ({}: {})", decision.refused[i], filter.what, filter.name,
                                filter.remedy));
  }
  return fmt::format("0 of {} clusters can host it: {}", hosts, join(parts, "; "));
}

Claim make_claim(const HostedClusterRequest& request, Time now) {
  return {.request_uid = request.facts.uid,
          .request_namespace = request.facts.object_namespace,
          .request_name = request.facts.name,
          .hosted_cluster = request.identity.key(),
          .size = request.size,
          .attempt = request.attempts + 1,
          .since = now};
}

std::vector<HostVerdict> explain(const Question& question) {
  std::vector<std::pair<std::pair<bool, Rank>, HostVerdict>> ranked;
  for (HostIndex i = 0; i < question.fleet().hosts().size(); ++i) {
    HostVerdict verdict{.host = question.host(i).name};
    const auto refusing = refusing_filter(question, i);
    if (refusing) {
      const Filter& filter = filters()[*refusing];
      verdict.filter = filter.name;
      verdict.reason = filter.reason(question, i);
      verdict.remedy = filter.remedy;
      const Rank by_name = {0, 0, 0, 0, question.host(i).name};
      ranked.emplace_back(std::pair(true, by_name), std::move(verdict));
      continue;
    }
    for (const Scorer& scorer : scorers()) verdict.scores.push_back(scorer.points(question, i));
    verdict.total = total_points(question, i);
    ranked.emplace_back(std::pair(false, rank_of(question, i, verdict.total)), std::move(verdict));
  }
  std::ranges::sort(ranked, {}, [](const auto& entry) { return entry.first; });
  std::vector<HostVerdict> verdicts;
  for (auto& entry : ranked) verdicts.push_back(std::move(entry.second));
  if (!verdicts.empty() && verdicts.front().filter.empty()) verdicts.front().is_chosen = true;
  return verdicts;
}

}  // namespace berth::hosting
