#include "nodes/pod_explanation.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "nodes/schedule.h"

namespace berth::nodes {
namespace {

std::string reasons_of(const NodeVerdict& verdict) {
  std::vector<std::string> reasons;
  for (const Objection& objection : verdict.objections) reasons.push_back(objection.reason);
  return fmt::format("{}: {}", verdict.filter, join(reasons, ", "));
}

std::string amounts_of(const Cycle& cycle, const Needs& needs) {
  std::vector<std::string> amounts;
  for (const Need& need : needs) {
    const ResourceColumns& columns = cycle.snapshot.columns();
    amounts.push_back(
        fmt::format("{} {}", columns.name(need.column), columns.text(need.column, need.amount)));
  }
  return amounts.empty() ? "nothing more" : join(amounts, ", ");
}

std::string hold_line(const Cycle& cycle, const StandingHold& standing, bool is_claimed) {
  const Hold& hold = *standing.hold;
  std::string line = fmt::format("  {} keeps {} for owner {}", hold.name,
                                 amounts_of(cycle, standing.needs), hold.owner_uid);
  if (hold.expires) line += fmt::format(" until {}", format_seconds(*hold.expires));
  if (is_claimed) {
    line += "; this pod may take it";
  } else if (hold.priority < cycle.pod.facts.priority) {
    line += fmt::format("; its priority {} does not stand against this pod", hold.priority);
  }
  return line + "\n";
}

std::string unsupported_text(const Cycle& cycle) {
  if (cycle.pod.wishes.unsupported.empty()) return "";
  return fmt::format("Not scheduled at all: Berth does not support {} yet.\n",
                     join(cycle.pod.wishes.unsupported, ", "));
}

}  // namespace

std::string explain_pod(const Cycle& cycle, const Profile& profile) {
  std::vector<NodeVerdict> verdicts = explain(cycle, profile);
  std::ranges::sort(verdicts, {}, [&cycle](const NodeVerdict& verdict) {
    return std::tuple(!verdict.filter.empty(), -verdict.score, cycle.snapshot.name(verdict.node));
  });
  std::size_t width = 4;
  for (const NodeVerdict& verdict : verdicts) {
    width = std::max(width, cycle.snapshot.name(verdict.node).size());
  }
  std::string text =
      unsupported_text(cycle) + fmt::format("{:<{}}   SCORE   WHY NOT\n", "NODE", width);
  for (const NodeVerdict& verdict : verdicts) {
    const bool passes = verdict.filter.empty();
    text += fmt::format("{:<{}}   {:<5}   {}\n", cycle.snapshot.name(verdict.node), width,
                        passes ? std::to_string(verdict.score) : "-",
                        passes ? "" : reasons_of(verdict));
  }
  return text;
}

Result<std::string> explain_pod_on(const Cycle& cycle, const Profile& profile,
                                   std::string_view name) {
  const auto slot = cycle.snapshot.find_node(name);
  if (!slot) return failure(Code::NotFound, fmt::format("nodes \"{}\" not found", name));
  std::vector<NodeVerdict> verdicts = explain(cycle, profile);
  const auto verdict = std::ranges::find(verdicts, *slot, &NodeVerdict::node);
  std::string text = unsupported_text(cycle);
  if (verdict->filter.empty()) {
    text += fmt::format("{} would take the pod, with {} points:\n", name, verdict->score);
    for (const ScorerPoints& one : verdict->points) {
      text += fmt::format("  {} x {}  {}\n", one.points, one.weight, one.scorer);
    }
  } else {
    text += fmt::format("{} does not take the pod: {}\n", name, reasons_of(*verdict));
  }
  text += fmt::format("It asks for {}.\n", amounts_of(cycle, cycle.needs));
  const auto holds = cycle.snapshot.holds(*slot);
  text += holds.empty() ? "No room is held there.\n" : "Room that is held there:\n";
  const StandingHold* claim = cycle.snapshot.claim_on(*slot, cycle.claimant());
  for (const StandingHold& standing : holds) {
    text += hold_line(cycle, standing, &standing == claim);
  }
  return text;
}

}  // namespace berth::nodes
