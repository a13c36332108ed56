// All that is measured for one generator, as a state machine: what is due, what came of it, what
// can be published now. It knows no clock, socket or process; whoever owns it runs what is due and
// tells the outcome.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "scores/generators/generator.h"
#include "scores/generators/latency.h"
#include "scores/generators/pace.h"
#include "scores/generators/plugin_protocol.h"
#include "scores/score_status.h"

namespace berth::scores {

// What is run at a time: one location, or one plugin with its whole section.
using Task = std::variant<Latency, PluginSection>;

// Never used twice: an outcome of something that was replaced meanwhile belongs to nobody.
using TaskId = std::uint64_t;

// One moment on both clocks.
struct Now {
  Instant instant;
  Time time;
};

// What is known about one entry.
struct EntryState {
  std::optional<double> value = std::nullopt;     // Of the last round: ms, or what a plugin said.
  std::optional<Timings> timings = std::nullopt;  // Of the last run that succeeded.
  std::optional<std::int32_t> score = std::nullopt;
  Instant score_until = {};  // When the score lapses.
  std::optional<Time> last_success = std::nullopt;
  std::int64_t failures = 0;  // Runs in a row.
  std::string error = {};     // Of the last run; empty if it succeeded.
  bool has_run = false;
};

class GeneratorWork {
 public:
  struct Times {
    Duration plugin_interval = std::chrono::seconds(60);
  };

  explicit GeneratorWork(Times times) : times_(times) {}

  // What is measured from now on. What did not change goes on as it was; the rest begins at once.
  void assign(const Generator& generator, Instant now);

  // Takes over what an earlier life of this agent has measured of the same generator, as far as it
  // still holds: a restart must not make scores disappear. `status` is the generator's.
  void restore(const json::Value& status, Now now);

  // Whether an entry has not been measured even once.
  bool has_unmeasured() const;

  // When something is due, and what is. `task` is of a known id.
  std::optional<Instant> next_due() const;
  std::vector<TaskId> due(Instant now) const;  // The longest overdue first.
  const Task& task(TaskId id) const { return works_.at(id).task; }

  // The task's run begins; one of the next two follows. `draw` is random, from 0 to 1.
  void begin(TaskId id, Instant now);
  void on_run(TaskId id, const Result<Timings>& outcome, Now now, double draw);
  void on_plugin(TaskId id, const Result<PluginScores>& outcome, Now now, double draw);

  // Sorted by name.
  struct Entry {
    std::string name;
    EntryState state;
  };
  std::vector<Entry> entries() const;

  // The scores that hold, until the first of them lapses. `hub_now` is the hub's idea of now.
  Report report(Instant now, Time hub_now) const;

  // When a score lapses that is part of the report now.
  std::optional<Instant> next_lapse(Instant now) const;

 private:
  struct Work {
    Task task;
    Pace pace;
    std::map<std::string, EntryState, std::less<>> entries = {};
    std::vector<std::optional<double>> runs = {};  // Of this round.
  };

  Work make_work(Task task, Instant now) const;
  Duration validity_of(const Work& work) const;
  static void succeed(EntryState& state, Time now);
  static void fail(EntryState& state, const Error& error);

  Times times_;
  TaskId last_id_ = 0;
  std::map<TaskId, Work> works_;
};

}  // namespace berth::scores
