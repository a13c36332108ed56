#include "scores/sources/source_status.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::scores {
namespace {

constexpr std::size_t kNamesMax = 10;
constexpr std::size_t kErrorBytesMax = 1024;
constexpr std::string_view kDegraded = "Degraded";

struct Verdict {
  api::ConditionStatus status = api::ConditionStatus::True;
  std::string reason = {};
  std::string message = {};
};

std::vector<std::string> first_names(const std::set<std::string>& names) {
  std::vector<std::string> first;
  std::ranges::copy_n(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesMax)),
                      std::back_inserter(first));
  return first;
}

std::string listed(const std::set<std::string>& names) {
  const std::string text = join(first_names(names), ", ");
  return names.size() > kNamesMax ? fmt::format("{} and {} more", text, names.size() - kNamesMax)
                                  : text;
}

// What is wrong although all queries were answered.
std::string shortcomings(const SourceState& state, const std::set<std::string>& taken) {
  std::vector<std::string> all;
  if (!taken.empty()) {
    all.push_back(fmt::format("the AddOnPlacementScore {} of {} belongs to somebody else",
                              state.source().target, listed(taken)));
  }
  for (const ScoreQuery& query : state.source().queries) {
    const QueryOutcome& outcome = state.outcome(query.score_name);
    if (!outcome.warning.empty()) {
      all.push_back(fmt::format("{}: {}", query.score_name, outcome.warning));
    }
    if (!outcome.samples.duplicates.empty()) {
      all.push_back(fmt::format("{}: more than one number for {}; aggregate by {}",
                                query.score_name, listed(outcome.samples.duplicates),
                                state.source().cluster_label));
    }
    if (outcome.samples.undated > 0) {
      all.push_back(fmt::format("{}: {} numbers without a sample time; say it with sampleTime",
                                query.score_name, outcome.samples.undated));
    }
  }
  return join(all, ". ");
}

Verdict readiness(const SourceReport& report) {
  using enum api::ConditionStatus;
  if (report.refusal) return {False, "Invalid", report.refusal->message};
  if (report.obstacle) return {False, report.obstacle->reason, report.obstacle->message};
  std::vector<std::string> errors;
  bool unanswered = false;
  for (const ScoreQuery& query : report.state->source().queries) {
    const QueryOutcome& outcome = report.state->outcome(query.score_name);
    if (!outcome.last_error.empty()) {
      errors.push_back(
          fmt::format("{}: {}", query.score_name, cut_utf8(outcome.last_error, kErrorBytesMax)));
    }
    unanswered = unanswered || !outcome.last_success;
  }
  if (!errors.empty()) return {False, "QueryFailed", join(errors, ". ")};
  if (unanswered) return {Unknown, "Starting", "waiting for the first answers"};
  std::string degraded = shortcomings(*report.state, report.taken);
  if (!degraded.empty()) return {True, std::string(kDegraded), std::move(degraded)};
  return {True, "QueriesAnswered", "every query was answered"};
}

json::Value query_status(const ScoreQuery& query, const QueryOutcome& outcome) {
  json::Value status = json::Value::object({{"scoreName", query.score_name}});
  if (outcome.last_success) status["lastSuccess"] = format_seconds(*outcome.last_success);
  if (!outcome.last_error.empty()) {
    status["lastError"] = cut_utf8(outcome.last_error, kErrorBytesMax);
  }
  if (!outcome.last_success) return status;
  if (!outcome.warning.empty()) status["warning"] = cut_utf8(outcome.warning, kErrorBytesMax);
  const FleetSamples& samples = outcome.samples;
  const std::pair<std::string_view, std::size_t> counts[] = {
      {"series", samples.series},     {"scored", outcome.scored}, {"unknown", samples.unknown},
      {"rejected", samples.rejected}, {"stale", outcome.stale},   {"undated", samples.undated}};
  for (const auto& [name, count] : counts) status[name] = count;
  for (const std::string& cluster : first_names(samples.duplicates)) {
    status["duplicates"].push_back(cluster);
  }
  return status;
}

// Without what goes with every answer.
json::Value substance(json::Value status) {
  if (json::Value* queries = status.find("queries")) {
    for (json::Value& query : queries->elements()) {
      for (const std::string_view passing :
           {"lastSuccess", "series", "scored", "unknown", "rejected", "stale", "undated"}) {
        query.erase(passing);
      }
    }
  }
  return status;
}

}  // namespace

bool is_starting(const SourceReport& report) {
  if (report.refusal || report.obstacle) return false;
  return std::ranges::none_of(report.state->source().queries, [&](const ScoreQuery& query) {
    const QueryOutcome& outcome = report.state->outcome(query.score_name);
    return outcome.last_success || !outcome.last_error.empty();
  });
}

json::Value source_status(const json::Value& before, const SourceReport& report, Time now) {
  using enum api::ConditionStatus;
  json::Value status = before.is_object() ? before : json::Value::object();
  const Verdict accepted = report.refusal ? Verdict{False, "Invalid", report.refusal->message}
                                          : Verdict{True, "Accepted", "the spec makes sense"};
  json::Value conditions = api::field(before, "conditions");
  for (const auto& [type, verdict] :
       {std::pair(kAcceptedCondition, accepted), std::pair(kReadyCondition, readiness(report))}) {
    conditions = api::with_condition(std::move(conditions),
                                     {.type = std::string(type),
                                      .status = verdict.status,
                                      .reason = verdict.reason,
                                      .message = verdict.message,
                                      .observed_generation = report.generation},
                                     now);
  }
  status["observedGeneration"] = report.generation;
  status["conditions"] = std::move(conditions);
  if (!report.state) return status;
  status["scoreName"] = report.state->source().target;
  status["clusters"] = report.state->clusters().size();
  status["scored"] = report.state->scored(now);
  status["queries"] = json::Value::array();
  for (const ScoreQuery& query : report.state->source().queries) {
    status["queries"].push_back(query_status(query, report.state->outcome(query.score_name)));
  }
  return status;
}

bool differs_in_substance(const json::Value& before, const json::Value& after) {
  return substance(before) != substance(after);
}

std::optional<SourceNews> news_of(const json::Value& before, const json::Value& after) {
  const json::Value* was = api::find_condition(api::field(before, "conditions"), kReadyCondition);
  const json::Value* is = api::find_condition(api::field(after, "conditions"), kReadyCondition);
  if (!is) return std::nullopt;
  const std::string status = api::text_field(*is, "status");
  const std::string reason = api::text_field(*is, "reason");
  const bool is_same =
      was && status == api::text_field(*was, "status") && reason == api::text_field(*was, "reason");
  if (is_same || status == "Unknown") return std::nullopt;
  const bool is_well = status == "True" && reason != kDegraded;
  return SourceNews{.kind = is_well ? SourceNews::Kind::Recovery : SourceNews::Kind::Trouble,
                    .reason = reason,
                    .message = api::text_field(*is, "message")};
}

}  // namespace berth::scores
