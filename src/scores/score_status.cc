#include "scores/score_status.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "scores/normalise.h"

namespace berth::scores {
namespace {

constexpr std::string_view kApiVersion = "cluster.open-cluster-management.io/v1alpha1";
constexpr std::size_t kMessageMax = 32'768;  // Conditions refuse longer ones.

std::string_view name_of(TroubleReason reason) {
  return reason == TroubleReason::Invalid ? "Invalid" : "SourceUnavailable";
}

api::Condition condition_of(const Report& report) {
  api::Condition condition{.type = std::string(kScoreCondition), .reason = ""};
  if (report.trouble) {
    condition.status = api::ConditionStatus::False;
    condition.reason = name_of(report.trouble->reason);
    condition.message = cut_utf8(report.trouble->message, kMessageMax);
  } else {
    condition.status = api::ConditionStatus::True;
    condition.reason = kScoreCondition;
    condition.message = "AddOnPlacementScore updated successfully";
  }
  return condition;
}

json::Value to_json(const std::vector<Score>& scores) {
  json::Value list = json::Value::array();
  for (const Score& score : scores) {
    list.push_back(json::Value::object({{"name", score.name}, {"value", score.value}}));
  }
  return list;
}

// Empty: all can be published. Sorted by name.
std::string flaw_of(const std::vector<Score>& scores) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto& [name, value] = scores[i];
    if (name.empty()) return "a score has no name: give each one a name";
    if (i > 0 && scores[i - 1].name == name) {
      return fmt::format("the score {} is there twice: give each one a name of its own", name);
    }
    if (value < kScoreMin || value > kScoreMax) {
      return fmt::format("the score {} is {}: normalise it to {}..{}", name, value, kScoreMin,
                         kScoreMax);
    }
  }
  return "";
}

// The conditions as they should be; nothing if they are.
std::optional<json::Value> changed_conditions(const json::Value& status, const Report& report,
                                              Time now) {
  const json::Value& before = api::field(status, "conditions");
  json::Value after = api::with_condition(before, condition_of(report), now);
  if (after == before) return std::nullopt;
  return after;
}

}  // namespace

api::Gvr score_resource() {
  return {"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"};
}

Report checked(Report report) {
  if (!report.scores) return report;
  std::ranges::sort(*report.scores, {}, &Score::name);
  std::string flaw = flaw_of(*report.scores);
  if (flaw.empty()) return report;
  return {.trouble = Trouble{TroubleReason::Invalid, std::move(flaw)}};
}

json::Value make_score_object(const ScoreObject& wanted) {
  json::Value object =
      json::Value::object({{"apiVersion", kApiVersion}, {"kind", "AddOnPlacementScore"}});
  object["metadata"]["name"] = wanted.name;
  object["metadata"]["namespace"] = wanted.cluster;
  if (wanted.owner) {
    object["metadata"]["ownerReferences"] = json::Value::array({wanted.owner->to_json()});
  }
  return object;
}

std::optional<json::Value> owner_patch(const json::Value& object,
                                       const api::OwnerReference& owner) {
  json::Value owners = json::Value::array();
  for (const api::OwnerReference& existing : api::Metadata(object).owner_references()) {
    if (existing.uid == owner.uid) return std::nullopt;
    const bool same = existing.kind == owner.kind && existing.name == owner.name;
    if (!same) owners.push_back(existing.to_json());
  }
  owners.push_back(owner.to_json());
  json::Value patch;
  patch["metadata"]["uid"] = api::Metadata(object).uid();
  patch["metadata"]["resourceVersion"] = api::Metadata(object).resource_version();
  patch["metadata"]["ownerReferences"] = std::move(owners);
  return patch;
}

Difference compare(const json::Value& object, const Report& report) {
  if (report.is_silent()) return Difference::None;
  const json::Value& status = api::field(object, "status");
  if (changed_conditions(status, report, Time())) return Difference::Content;
  if (!report.scores) return Difference::None;
  return api::field(status, "scores") == to_json(*report.scores) ? Difference::ValidUntil
                                                                 : Difference::Content;
}

std::optional<json::Value> status_patch(const json::Value& object, const StatusWish& wish) {
  if (wish.report.is_silent()) return std::nullopt;
  const json::Value& before = api::field(object, "status");
  const bool lasts_for_ever =
      api::field(before, "scores").size() > 0 && !api::time_field(before, "validUntil");
  json::Value status;
  if (wish.report.scores) status["scores"] = to_json(*wish.report.scores);
  if (wish.report.scores || lasts_for_ever) {
    const auto given = wish.report.scores ? wish.report.valid_until : std::nullopt;
    status["validUntil"] = format_seconds(given.value_or(wish.now + wish.validity));
  }
  auto conditions = changed_conditions(before, wish.report, wish.now);
  const bool says_it_already =
      !conditions && std::ranges::all_of(status.members(), [&before](const json::Member& member) {
        return api::field(before, member.name()) == member.value;
      });
  if (says_it_already) return std::nullopt;

  json::Value patch;
  patch["metadata"]["uid"] = api::Metadata(object).uid();
  if (conditions) {
    patch["metadata"]["resourceVersion"] = api::Metadata(object).resource_version();
    status["conditions"] = *std::move(conditions);
  }
  patch["status"] = std::move(status);
  return patch;
}

}  // namespace berth::scores
