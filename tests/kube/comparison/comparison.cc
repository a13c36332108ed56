#include "kube/comparison/comparison.h"

#include <chrono>
#include <utility>
#include <vector>

#include "kube/comparison/debug_answer.h"
#include "kube/comparison/fleet_generator.h"
#include "kube/comparison/prediction.h"

namespace berth::kube {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

Time now() { return Time(std::chrono::system_clock::now().time_since_epoch()); }

Status in_words(const Edit& edit, const Status& written) {
  if (written.ok()) return {};
  return failure(written.error().code, to_string(edit) + ": " + written.error().message);
}

}  // namespace

Result<Comparison::Difference> Comparison::run_fleet(std::uint64_t seed, int edits) {
  RETURN_IF_ERROR(hub_.clear());
  FleetGenerator generator(seed, now().truncated_to_seconds());
  for (const Edit& edit : generator.new_fleet()) RETURN_IF_ERROR(in_words(edit, hub_.apply(edit)));
  Observation seen{.seed = seed};
  ASSIGN_OR_RETURN(Difference difference, check(seen));
  for (seen.step = 1; !difference && seen.step <= edits; ++seen.step) {
    const Edit edit = generator.next_edit();
    seen.edit = to_string(edit);
    RETURN_IF_ERROR(hub_.refresh());
    seen.edited_at = now();
    RETURN_IF_ERROR(in_words(edit, hub_.apply(edit)));
    seen.edited = hub_.objects();
    ASSIGN_OR_RETURN(difference, check(seen));
  }
  return difference;
}

// The reference needs a while to see what has changed, and where placements count each other's
// decisions, a while to agree with itself. So it is asked until it says what the engine says; what
// it says at the end of its time is what counts, and what is recorded.
Result<Comparison::Difference> Comparison::check(Observation& seen) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  Difference difference;
  do {
    RETURN_IF_ERROR(ask(seen));
    difference = difference_at_rest(seen);
  } while (difference && std::chrono::steady_clock::now() < deadline);
  if (seen.step == 0) {
    seen.edited = seen.settled;
    seen.edited_at = seen.settled_at;
  }
  counts_.add(seen, judge_moves(seen));
  if (recorder_) RETURN_IF_ERROR(recorder_->write(seen));
  return difference;
}

// Twice, so that it can be seen whether there was anything left to write.
Status Comparison::ask(Observation& seen) {
  RETURN_IF_ERROR(poke_all());
  const Objects first = hub_.objects();
  RETURN_IF_ERROR(poke_all());
  seen.settled = hub_.objects();
  seen.settled_at = now();
  seen.restless.clear();
  std::vector<std::string> keys;
  for (const auto& [name, object] : seen.settled.all(ObjectKind::Placement)) {
    if (written_state(first, name) != written_state(seen.settled, name)) seen.restless.insert(name);
    keys.push_back(to_string(name));
  }
  ASSIGN_OR_RETURN(const std::vector<json::Value> answers, controller_.debug(keys));
  seen.answers.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    seen.answers[name_from(keys[i])] = normalised_answer(answers[i]);
  }
  return {};
}

Status Comparison::poke_all() {
  const Objects::Table placements = hub_.objects().all(ObjectKind::Placement);
  for (const auto& [name, object] : placements) RETURN_IF_ERROR(hub_.poke(name));
  return hub_.refresh();
}

}  // namespace berth::kube
