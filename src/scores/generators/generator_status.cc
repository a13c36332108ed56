#include "scores/generators/generator_status.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::scores {
namespace {

constexpr std::size_t kProblemsTold = 5;
constexpr std::size_t kMessageMax = 4096;

// Microseconds are more than anybody wants to know.
double rounded(double millis) { return std::round(millis * 1000) / 1000; }
double millis(Duration length) { return rounded(static_cast<double>(length.count()) / 1e6); }

json::Value timings_json(const Timings& timings) {
  return json::Value::object({{"resolveMillis", millis(timings.resolve)},
                              {"connectMillis", millis(timings.connect)},
                              {"tlsMillis", millis(timings.tls)},
                              {"firstByteMillis", millis(timings.first_byte)}});
}

json::Value entry_json(const GeneratorWork::Entry& entry) {
  const EntryState& state = entry.state;
  json::Value json = json::Value::object({{"name", entry.name}});
  if (state.value) json["lastValue"] = rounded(*state.value);
  if (state.score) json["score"] = *state.score;
  if (state.last_success) json["lastSuccess"] = format_seconds(*state.last_success);
  json["failures"] = state.failures;
  if (!state.error.empty()) json["error"] = state.error;
  if (state.timings) json["timings"] = timings_json(*state.timings);
  return json;
}

struct Conditions {
  api::Condition accepted;
  api::Condition healthy;
};

json::Value status_with(const json::Value& before, Conditions conditions, std::int64_t generation,
                        Time now) {
  json::Value list = api::field(before, "conditions");
  for (api::Condition* condition : {&conditions.accepted, &conditions.healthy}) {
    condition->observed_generation = generation;
    condition->message = cut_utf8(condition->message, kMessageMax);
    list = api::with_condition(std::move(list), *condition, now);
  }
  return json::Value::object({{"observedGeneration", generation}, {"conditions", std::move(list)}});
}

std::string told(std::span<const Problem> problems) {
  std::vector<std::string> messages;
  for (const Problem& problem : problems.first(std::min(problems.size(), kProblemsTold))) {
    messages.push_back(problem.message);
  }
  if (problems.size() > kProblemsTold) {
    messages.push_back(fmt::format("and {} more", problems.size() - kProblemsTold));
  }
  return join(messages, "; ");
}

api::Condition health_of(const std::vector<GeneratorWork::Entry>& entries) {
  api::Condition healthy{.type = std::string(kHealthyCondition),
                         .status = api::ConditionStatus::True,
                         .reason = "Measured",
                         .message = fmt::format("all {} entries are measured", entries.size())};
  std::vector<std::string> failing;
  std::size_t waiting = 0;
  for (const GeneratorWork::Entry& entry : entries) {
    if (!entry.state.error.empty()) {
      failing.push_back(fmt::format("{}: {}", entry.name, entry.state.error));
    } else if (!entry.state.score) {
      ++waiting;
    }
  }
  if (!failing.empty()) {
    healthy.status = api::ConditionStatus::False;
    healthy.reason = "EntriesFailing";
    healthy.message = fmt::format("{} of {} entries fail: {}", failing.size(), entries.size(),
                                  fmt::join(failing.begin(),
                                            failing.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                  failing.size(), kProblemsTold)),
                                            "; "));
  } else if (waiting > 0) {
    healthy.status = api::ConditionStatus::Unknown;
    healthy.reason = "Measuring";
    healthy.message =
        fmt::format("{} of {} entries are measured for the first time", waiting, entries.size());
  }
  return healthy;
}

// The status without what each measurement changes.
json::Value kind_of(const json::Value& status) {
  json::Value kind = status;
  if (json::Value* entries = kind.find("entries"); entries && entries->is_array()) {
    for (json::Value& entry : entries->elements()) {
      if (!entry.is_object()) continue;
      const bool fails = entry.find("error") != nullptr;
      entry = json::Value::object({{"name", api::field(entry, "name")}, {"fails", fails}});
    }
  }
  return kind;
}

}  // namespace

json::Value refused_status(const json::Value& before, std::span<const Problem> problems,
                           std::int64_t generation, Time now) {
  json::Value status =
      status_with(before,
                  {.accepted = {.type = std::string(kAcceptedCondition),
                                .status = api::ConditionStatus::False,
                                .reason = problems.front().reason,
                                .message = told(problems)},
                   .healthy = {.type = std::string(kHealthyCondition),
                               .status = api::ConditionStatus::Unknown,
                               .reason = "NotAccepted",
                               .message = "nothing is measured until the generator is accepted"}},
                  generation, now);
  status["entries"] = json::Value::array();
  return status;
}

json::Value waiting_status(const json::Value& before, std::int64_t generation, Time now) {
  json::Value status =
      status_with(before,
                  {.accepted = {.type = std::string(kAcceptedCondition),
                                .reason = "WaitingForAgent",
                                .message = "the agent of the cluster has not looked at it yet"},
                   .healthy = {.type = std::string(kHealthyCondition),
                               .reason = "WaitingForAgent",
                               .message = "nothing has been measured yet"}},
                  generation, now);
  status["entries"] = json::Value::array();
  return status;
}

json::Value working_status(const json::Value& before,
                           const std::vector<GeneratorWork::Entry>& entries,
                           std::int64_t generation, Time now, Duration simulated_delay) {
  std::string told = "the agent of this cluster carries it out";
  if (simulated_delay > Duration::zero()) {
    told += fmt::format("; {} ms of each connection are simulated", millis(simulated_delay));
  }
  json::Value status = status_with(before,
                                   {.accepted = {.type = std::string(kAcceptedCondition),
                                                 .status = api::ConditionStatus::True,
                                                 .reason = "Accepted",
                                                 .message = std::move(told)},
                                    .healthy = health_of(entries)},
                                   generation, now);
  json::Value list = json::Value::array();
  for (const GeneratorWork::Entry& entry : entries) list.push_back(entry_json(entry));
  status["entries"] = std::move(list);
  return status;
}

bool differs_in_kind(const json::Value& status, const json::Value& other) {
  return kind_of(status) != kind_of(other);
}

}  // namespace berth::scores
