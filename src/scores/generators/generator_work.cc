#include "scores/generators/generator_work.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

// A score holds for so many intervals after it was measured.
constexpr int kValidIntervals = 3;

// One that is about to lapse is left out a little earlier, so that those which still hold are
// published again before the whole object lapses.
constexpr Duration kLapseLead = 5s;

constexpr std::size_t kErrorMax = 500;

std::vector<std::string> names_of(const Task& task) {
  if (const auto* latency = std::get_if<Latency>(&task)) return {latency->name};
  return std::get<PluginSection>(task).names;
}

bool holds(const EntryState& state, Instant now) {
  return state.score && state.score_until - kLapseLead > now;
}

}  // namespace

GeneratorWork::Work GeneratorWork::make_work(Task task, Instant now) const {
  Pace::Options pace{.interval = times_.plugin_interval};
  if (const auto* latency = std::get_if<Latency>(&task)) {
    pace = {.runs = latency->runs,
            .wait_between_runs = latency->wait_between_runs,
            .interval = latency->interval};
  }
  Work work{.task = std::move(task), .pace = Pace(pace, now)};
  for (std::string& name : names_of(work.task)) work.entries[std::move(name)];
  return work;
}

void GeneratorWork::assign(const Generator& generator, Instant now) {
  std::vector<Task> tasks(generator.latencies.begin(), generator.latencies.end());
  tasks.insert(tasks.end(), generator.sections.begin(), generator.sections.end());
  std::map<TaskId, Work> before = std::exchange(works_, {});
  for (Task& task : tasks) {
    const auto same = std::ranges::find_if(
        before, [&task](const auto& entry) { return entry.second.task == task; });
    if (same == before.end()) {
      works_.emplace(++last_id_, make_work(std::move(task), now));
    } else {
      works_.insert(before.extract(same));
    }
  }
}

Duration GeneratorWork::validity_of(const Work& work) const {
  const auto* latency = std::get_if<Latency>(&work.task);
  return kValidIntervals * (latency ? latency->interval : times_.plugin_interval);
}

void GeneratorWork::restore(const json::Value& status, Now now) {
  for (const json::Value& known : api::elements_field(status, "entries")) {
    const std::string name = api::text_field(known, "name");
    const auto score = api::int32_field(known, "score");
    const auto succeeded = api::time_field(known, "lastSuccess");
    if (!score || *score < kScoreMin || *score > kScoreMax || !succeeded) continue;
    for (auto& [id, work] : works_) {
      const auto entry = work.entries.find(name);
      if (entry == work.entries.end() || entry->second.has_run) continue;
      const Duration age = std::max(Duration::zero(), now.time - *succeeded);
      if (age >= validity_of(work)) continue;
      entry->second.score = score;
      entry->second.last_success = succeeded;
      entry->second.score_until = now.instant + (validity_of(work) - age);
      entry->second.value = api::field(known, "lastValue").as_double();
    }
  }
}

bool GeneratorWork::has_unmeasured() const {
  return std::ranges::any_of(works_, [](const auto& work) {
    return std::ranges::any_of(work.second.entries,
                               [](const auto& entry) { return !entry.second.has_run; });
  });
}

std::optional<Instant> GeneratorWork::next_due() const {
  std::optional<Instant> next;
  for (const auto& [id, work] : works_) {
    const auto due = work.pace.due();
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

std::vector<TaskId> GeneratorWork::due(Instant now) const {
  std::vector<std::pair<Instant, TaskId>> found;
  for (const auto& [id, work] : works_) {
    const auto due = work.pace.due();
    if (due && *due <= now) found.emplace_back(*due, id);
  }
  std::ranges::sort(found);
  std::vector<TaskId> ids;
  for (const auto& [when, id] : found) ids.push_back(id);
  return ids;
}

void GeneratorWork::begin(TaskId id, Instant now) { works_.at(id).pace.begin(now); }

void GeneratorWork::succeed(EntryState& state, Time now) {
  state.has_run = true;
  state.last_success = now;
  state.failures = 0;
  state.error.clear();
}

void GeneratorWork::fail(EntryState& state, const Error& error) {
  state.has_run = true;
  ++state.failures;
  state.error = cut_utf8(error.message, kErrorMax);
}

void GeneratorWork::on_run(TaskId id, const Result<Timings>& outcome, Now now, double draw) {
  const auto found = works_.find(id);
  if (found == works_.end()) return;
  Work& work = found->second;
  const auto& latency = std::get<Latency>(work.task);
  EntryState& state = work.entries.begin()->second;
  if (outcome.ok()) {
    succeed(state, now.time);
    state.timings = *outcome;
    work.runs.emplace_back(measured_millis(*outcome, latency));
  } else {
    fail(state, outcome.error());
    work.runs.emplace_back(std::nullopt);
  }
  if (!work.pace.end(now.instant, draw)) return;
  const auto millis = round_millis(std::exchange(work.runs, {}), latency);
  if (!millis) return;  // The score of before lapses.
  state.value = *millis;
  state.score = latency_score(*millis, latency);
  state.score_until = now.instant + validity_of(work);
}

void GeneratorWork::on_plugin(TaskId id, const Result<PluginScores>& outcome, Now now,
                              double draw) {
  const auto found = works_.find(id);
  if (found == works_.end()) return;
  Work& work = found->second;
  work.pace.end(now.instant, draw);
  for (auto& [name, state] : work.entries) {
    if (!outcome.ok()) {
      fail(state, outcome.error());
      continue;
    }
    const Result<double>& score = outcome->at(name);
    if (!score.ok()) {
      fail(state, score.error());
      continue;
    }
    succeed(state, now.time);
    state.value = *score;
    state.score = rounded_score(*score);
    state.score_until = now.instant + validity_of(work);
  }
}

std::vector<GeneratorWork::Entry> GeneratorWork::entries() const {
  std::vector<Entry> entries;
  for (const auto& [id, work] : works_) {
    for (const auto& [name, state] : work.entries) entries.push_back({name, state});
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

Report GeneratorWork::report(Instant now, Time hub_now) const {
  std::vector<Score> scores;
  std::optional<Instant> until;
  std::vector<std::string> silent;
  const std::vector<Entry> all = entries();
  for (const Entry& entry : all) {
    if (holds(entry.state, now)) {
      scores.push_back({.name = std::string(entry.name), .value = *entry.state.score});
      until = std::min(until.value_or(Instant::max()), entry.state.score_until);
    } else if (!entry.state.error.empty()) {
      silent.push_back(fmt::format("{}: {}", entry.name, entry.state.error));
    }
  }
  Report report;
  if (!silent.empty()) {
    report.trouble = Trouble{
        .message = fmt::format("{} of {} entries cannot be measured; {}; see the status of the "
                               "AddOnPlacementScoreGenerator",
                               silent.size(), all.size(), silent.front())};
  }
  if (scores.empty()) return report;  // What was published lapses by itself.
  report.scores = std::move(scores);
  report.valid_until = hub_now + (*until - now);
  return report;
}

std::optional<Instant> GeneratorWork::next_lapse(Instant now) const {
  std::optional<Instant> next;
  for (const auto& [id, work] : works_) {
    for (const auto& [name, state] : work.entries) {
      if (!holds(state, now)) continue;
      next = std::min(next.value_or(Instant::max()), state.score_until - kLapseLead);
    }
  }
  return next;
}

}  // namespace berth::scores
