#include "kube/comparison/judgement.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "json/print.h"
#include "kube/comparison/debug_answer.h"
#include "kube/comparison/prediction.h"

namespace berth::kube {
namespace {

using json::Value;

struct Told {
  std::string_view what;
  const ObjectName& placement;
  Value reference;
  Value berth;
  const Objects& objects;
};

std::string tell(const Observation& seen, const Told& told) {
  return fmt::format(
      "seed {}, step {}: {}\n{} of {} differs\nOCM says   {}\nBerth says {}\n"
      "objects:\n{}",
      seen.seed, seen.step, seen.edit.empty() ? "a new fleet" : seen.edit, told.what,
      to_string(told.placement), json::print(told.reference), json::print(told.berth),
      told.objects.print());
}

// By placement: what all others' PlacementDecisions say.
std::map<ObjectName, Value> decisions_but(const Objects& objects, const ObjectName& placement) {
  std::map<ObjectName, Value> found;
  for (const auto& [name, object] : objects.all(ObjectKind::Decision)) {
    const bool is_own =
        name.ns == placement.ns && name.name.starts_with(placement.name + "-decision-");
    if (const Value* status = object.find("status"); status && !is_own) found[name] = *status;
  }
  return found;
}

}  // namespace

std::optional<std::string> difference_at_rest(const Observation& seen) {
  const placement::FleetView fleet = view_of(seen.settled);
  const std::map<ObjectName, Value> answers = predicted_answers(seen.settled, seen.settled_at);
  for (const auto& [name, object] : seen.settled.all(ObjectKind::Placement)) {
    const Prediction predicted = predict(seen.settled, fleet, name, seen.settled_at);
    const Value written = written_state(seen.settled, name);
    const bool is_endless = predicted.kind == Prediction::Kind::Endless;
    if (is_endless != seen.restless.contains(name)) {
      return tell(seen, {.what = "the end",
                         .placement = name,
                         .reference = is_endless ? "at rest" : "restless",
                         .berth = is_endless ? "endless" : "settles",
                         .objects = seen.settled});
    }
    if (!is_endless && predicted.state != written) {
      return tell(seen, {.what = "the rest",
                         .placement = name,
                         .reference = written,
                         .berth = predicted.state,
                         .objects = seen.settled});
    }
    const auto answer = seen.answers.find(name);
    if (answer == seen.answers.end()) continue;
    const Value& answered = answers.at(name);
    if (answered != answer->second) {
      return tell(seen, {.what = "the debug answer",
                         .placement = name,
                         .reference = answer->second,
                         .berth = answered,
                         .objects = seen.settled});
    }
  }
  return std::nullopt;
}

JudgedMoves judge_moves(const Observation& seen) {
  JudgedMoves moves;
  const placement::FleetView fleet = view_of(seen.edited);
  for (const auto& [name, object] : seen.edited.all(ObjectKind::Placement)) {
    const Value written = written_state(seen.settled, name);
    if (seen.restless.contains(name)) continue;
    const Prediction predicted = predict(seen.edited, fleet, name, seen.edited_at);
    if (predicted.state == written) {
      if (written != written_state(seen.edited, name)) ++moves.right;
    } else if (predicted.reads_balance &&
               decisions_but(seen.edited, name) != decisions_but(seen.settled, name)) {
      ++moves.unordered;
    } else if (predict(seen.edited, fleet, name, seen.settled_at).state == written) {
      ++moves.right;  // Something has expired meanwhile.
    } else {
      moves.differences.push_back(tell(seen, {.what = "the move",
                                              .placement = name,
                                              .reference = written,
                                              .berth = predicted.state,
                                              .objects = seen.edited}));
    }
  }
  return moves;
}

void ComparisonCounts::add(const Observation& seen, const JudgedMoves& judged) {
  ++states;
  endless += static_cast<int>(seen.restless.size());
  moves += judged.right;
  unordered += judged.unordered;
  elsewhere += static_cast<int>(judged.differences.size());
  for (const auto& [name, object] : seen.settled.all(ObjectKind::Placement)) {
    ++placements;
    for (const Value& condition : api::elements_field(api::field(object, "status"), "conditions")) {
      ++conditions[api::text_field(condition, "reason")];
    }
  }
}

std::string ComparisonCounts::text() const {
  std::string text = fmt::format(
      "{} states with {} placements and their scores; {} moves as predicted, {} in an unknown "
      "order, "
      "{} to elsewhere; {} never settle; conditions:",
      states, placements, moves, unordered, elsewhere, endless);
  for (const auto& [reason, times] : conditions) text += fmt::format(" {} {}", reason, times);
  return text;
}

}  // namespace berth::kube
