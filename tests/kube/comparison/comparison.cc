#include "kube/comparison/comparison.h"

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "json/print.h"
#include "kube/comparison/debug_answer.h"
#include "kube/comparison/fleet_generator.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kGlance = std::chrono::milliseconds(5);

Time now() { return Time(std::chrono::system_clock::now().time_since_epoch()); }

bool decisions_differ(const Objects& a, const Objects& b, const ObjectName& but) {
  const auto others = [&but](const Objects& objects) {
    std::map<ObjectName, Value> found;
    for (const auto& [name, object] : objects.all(ObjectKind::Decision)) {
      const bool is_own = name.ns == but.ns && name.name.starts_with(but.name + "-decision-");
      if (const Value* status = object.find("status"); status && !is_own) found[name] = *status;
    }
    return found;
  };
  return others(a) != others(b);
}

}  // namespace

Result<Comparison::Difference> Comparison::run_fleet(std::uint64_t seed, int edits) {
  RETURN_IF_ERROR(hub_.clear());
  FleetGenerator generator(seed);
  for (const Edit& edit : generator.new_fleet(now())) {
    if (Status written = hub_.apply(edit); !written.ok()) {
      return failure(written.error().code, to_string(edit) + ": " + written.error().message);
    }
  }
  RETURN_IF_ERROR(hub_.settle());
  RETURN_IF_ERROR(hub_.refresh());
  std::string history = fmt::format("seed {}", seed);
  ASSIGN_OR_RETURN(Difference difference, check_rest());
  for (int number = 1; !difference && number <= edits; ++number) {
    const Edit edit = generator.next_edit(hub_.objects(), now());
    history += fmt::format("\n  {}. {}", number, to_string(edit));
    ASSIGN_OR_RETURN(difference, step(edit));
    ++counts_.steps;
  }
  if (difference) difference = history + "\n" + *difference;
  return difference;
}

Result<Comparison::Difference> Comparison::step(const Edit& edit) {
  // Whatever was right at the end of the last step must still be so.
  RETURN_IF_ERROR(hub_.refresh());
  for (const auto& [name, object] : settled_.all(ObjectKind::Placement)) {
    const Value state = written_state(hub_.objects(), name);
    if (state == written_state(settled_, name)) continue;
    const Prediction later = predict(settled_, name, now());  // Something may have expired.
    if (later.kind == Prediction::Kind::Endless) continue;
    if (later.state != state) return tell("later on, untouched", name, later.state);
  }
  const Objects before = hub_.objects();
  const Time at = now();
  RETURN_IF_ERROR(hub_.apply(edit));
  const Objects edited = hub_.objects();
  RETURN_IF_ERROR(hub_.settle());
  ASSIGN_OR_RETURN(Difference difference, check_after_edit(before, edited, at));
  if (difference) return difference;
  return check_rest();
}

// The edit may have woken the controller or not. Where it did, it went on from what was there.
Result<Comparison::Difference> Comparison::check_after_edit(const Objects& before,
                                                            const Objects& edited, Time at) {
  const Objects::Table placements = edited.all(ObjectKind::Placement);
  for (const auto& [name, object] : placements) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    const Prediction predicted = predict(edited, name, at);
    const Value unchanged = written_state(edited, name);
    for (;;) {
      RETURN_IF_ERROR(hub_.refresh());
      const Value state = written_state(hub_.objects(), name);
      if (state == predicted.state) {
        count(unchanged, state);
        break;
      }
      if (state == unchanged || predicted.kind == Prediction::Kind::Endless) break;
      if (predicted.reads_balance && decisions_differ(before, hub_.objects(), name)) {
        ++counts_.unordered;
        break;
      }
      if (state == predict(edited, name, now()).state) break;  // Something has expired meanwhile.
      if (std::chrono::steady_clock::now() > deadline) {
        return tell("after the edit", name, predicted.state);
      }
      std::this_thread::sleep_for(kGlance);
    }
  }
  return Difference();
}

Result<Comparison::Difference> Comparison::check_rest() {
  const Objects::Table placements = hub_.objects().all(ObjectKind::Placement);
  for (const auto& [name, object] : placements) {
    ASSIGN_OR_RETURN(Difference difference, check_woken(name));
    if (difference) return difference;
  }
  settled_ = hub_.objects();
  return check_scores();
}

Result<Comparison::Difference> Comparison::check_scores() {
  std::vector<ObjectName> names;
  std::vector<std::string> keys;
  for (const auto& [name, object] : settled_.all(ObjectKind::Placement)) {
    names.push_back(name);
    keys.push_back(name.ns + "/" + name.name);
  }
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    ASSIGN_OR_RETURN(const std::vector<Value> answers, controller_.debug(keys));
    Difference difference;
    for (std::size_t i = 0; i < names.size() && !difference; ++i) {
      const Value predicted = predicted_answer(settled_, names[i], now());
      const Value answer = normalised_answer(answers[i]);
      if (predicted == answer) continue;
      difference =
          fmt::format("scores of {} differ\nBerth says {}\nOCM says   {}\nobjects:\n{}", keys[i],
                      json::print(predicted), json::print(answer), settled_.print());
    }
    if (!difference) counts_.scores += static_cast<int>(names.size());
    if (!difference || std::chrono::steady_clock::now() > deadline) return difference;
    std::this_thread::sleep_for(kGlance);
  }
}

// Nothing but this placement is decided on now, so there is one right answer. Should the controller
// still have been at work on others whose decisions matter to this one, the question is asked
// again.
Result<Comparison::Difference> Comparison::check_woken(const ObjectName& name) {
  const auto deadline = std::chrono::steady_clock::now() + 2 * kPatience;
  for (;;) {
    RETURN_IF_ERROR(hub_.refresh());
    const Objects before = hub_.objects();
    const Prediction predicted = predict(before, name, now());
    if (predicted.kind == Prediction::Kind::Endless) {
      ++counts_.endless;
      return Difference();
    }
    if (predicted.kind == Prediction::Kind::Settles) RETURN_IF_ERROR(hub_.poke(name));
    ASSIGN_OR_RETURN(const bool is_right, wait_for(predicted.state, before, name));
    if (is_right) return Difference();
    const bool was_disturbed =
        predicted.reads_balance && decisions_differ(before, hub_.objects(), name);
    if (!was_disturbed || std::chrono::steady_clock::now() > deadline) {
      return tell("after a wake-up", name, predicted.state) + "decisions before:\n" +
             before.print(ObjectKind::Decision);
    }
    ++counts_.disturbed;
  }
}

Result<bool> Comparison::wait_for(const Value& wanted, const Objects& before,
                                  const ObjectName& name) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    RETURN_IF_ERROR(hub_.refresh());
    const Value state = written_state(hub_.objects(), name);
    if (state == wanted || state == predict(before, name, now()).state) {
      count(written_state(before, name), state);
      return true;
    }
    std::this_thread::sleep_for(kGlance);
  }
  return false;
}

void Comparison::count(const Value& before, const Value& after) {
  ++counts_.predictions;
  if (before != after) ++counts_.moves;
  for (const Value& condition : api::elements_field(api::field(after, "status"), "conditions")) {
    ++counts_.conditions[api::text_field(condition, "reason")];
  }
}

std::string ComparisonCounts::text() const {
  std::string text = fmt::format(
      "{} steps, {} predictions right, {} of them moves, {} times all scores right; {} edits moved "
      "several at once, {} questions asked again, {} never settle; conditions:",
      steps, predictions, moves, scores, unordered, disturbed, endless);
  for (const auto& [reason, times] : conditions) text += fmt::format(" {} {}", reason, times);
  return text;
}

std::string Comparison::tell(std::string_view when, const ObjectName& placement,
                             const Value& predicted) const {
  return fmt::format("{}, {}/{} differs\nBerth says {}\nOCM wrote  {}\nobjects:\n{}", when,
                     placement.ns, placement.name, json::print(predicted),
                     json::print(written_state(hub_.objects(), placement)), hub_.objects().print());
}

}  // namespace berth::kube
