#include "scores/sources/score_publication.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/add_on_placement_score.h"
#include "api/metadata.h"
#include "json/merge_patch.h"
#include "scores/score_status.h"

namespace berth::scores {
namespace {

// How long before its end a score leaves those that hold for longer: time for the write to arrive.
constexpr Duration kLeaveAhead = std::chrono::seconds(5);

// What is known, and what is published and was not measured again since the start.
std::vector<KnownScore> known_scores(const api::AddOnPlacementScore& published,
                                     const Publication& wanted) {
  std::vector<KnownScore> all = wanted.scores;
  for (const Score& score : published.scores) {
    const bool measured =
        std::ranges::find(wanted.scores, score.name, &KnownScore::name) != wanted.scores.end();
    if (measured || !published.valid_until || !wanted.score_names.contains(score.name)) continue;
    all.push_back(
        {.name = score.name, .value = score.value, .valid_until = *published.valid_until});
  }
  std::ranges::sort(all, {}, &KnownScore::name);
  return all;
}

bool differs(const std::vector<Score>& published, const std::vector<KnownScore>& wanted,
             std::int32_t hysteresis) {
  if (published.size() != wanted.size()) return true;
  return std::ranges::any_of(wanted, [&](const KnownScore& score) {
    const auto found = std::ranges::find(published, score.name, &Score::name);
    return found == published.end() || std::abs(found->value - score.value) >= hysteresis;
  });
}

json::Value new_object(const Publication& wanted) {
  json::Value object = make_score_object({.cluster = wanted.cluster, .name = wanted.name});
  object["metadata"]["labels"][kSourceUidLabel] = wanted.source_uid;
  object["metadata"]["annotations"][kSourceAnnotation] = wanted.source;
  return object;
}

// The object with these scores; nothing if it has them.
std::optional<json::Value> with_scores(json::Value object, const std::vector<KnownScore>& scores,
                                       Time valid_until, Time now) {
  Report report{.scores = std::vector<Score>(), .valid_until = valid_until};
  for (const KnownScore& score : scores) {
    report.scores->push_back({.name = score.name, .value = score.value});
  }
  const auto patch =
      status_patch(object, {.report = report, .now = now, .validity = Duration::zero()});
  if (!patch) return std::nullopt;
  object["status"] = json::apply_merge_patch(api::field(object, "status"), *patch->find("status"));
  return object;
}

}  // namespace

std::string source_uid_of(const json::Value& score_object) {
  return std::string(api::Metadata(score_object).labels().find(kSourceUidLabel).value_or(""));
}

PublicationPlan plan_publication(const json::Value* object, const Publication& wanted, Time now) {
  api::AddOnPlacementScore published;
  if (object) published = api::read_add_on_placement_score(*object);
  std::vector<KnownScore> scores = known_scores(published, wanted);
  std::erase_if(scores, [&](const KnownScore& s) { return s.valid_until <= now + kLeaveAhead; });
  if (scores.empty()) return {};
  const auto [first, last] = std::ranges::minmax(scores, {}, &KnownScore::valid_until);
  PublicationPlan plan;
  if (first.valid_until < last.valid_until) plan.look_again = first.valid_until - kLeaveAhead;

  // The wire has whole seconds.
  const Time valid_until = first.valid_until.truncated_to_seconds();
  const bool holds_long_enough = published.valid_until &&
                                 *published.valid_until - now > wanted.valid_for / 2 &&
                                 *published.valid_until <= valid_until;
  const bool worth_it = !object || !holds_long_enough ||
                        differs(published.scores, scores, wanted.hysteresis) ||
                        !api::is_condition_true(*object, kScoreCondition);
  if (!worth_it) return plan;
  plan.after = with_scores(object ? *object : new_object(wanted), scores, valid_until, now);
  return plan;
}

}  // namespace berth::scores
