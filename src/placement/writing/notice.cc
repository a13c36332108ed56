#include "placement/writing/notice.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::placement {
namespace {

constexpr std::size_t kScoresMax = 1000;  // Bytes, without the dots.
constexpr std::size_t kNoteMax = 1024;    // More makes the API server refuse the event.

std::string note_on(const api::ObjectKey& placement, std::string_view decision,
                    std::string_view what) {
  return fmt::format("Decision {} is {} with placement {} in namespace {}", decision, what,
                     placement.name, placement.ns);
}

}  // namespace

Notice decision_created(const api::ObjectKey& placement, std::string_view decision) {
  return {.reason = "DecisionCreate",
          .action = "DecisionCreated",
          .note = note_on(placement, decision, "created")};
}

Notice decision_deleted(const api::ObjectKey& placement, std::string_view decision) {
  return {.reason = "DecisionDelete",
          .action = "DecisionDeleted",
          .note = note_on(placement, decision, "deleted")};
}

Notice decision_updated(const api::ObjectKey& placement, std::string_view decision,
                        const ScheduleOutcome& outcome) {
  Notice notice{.reason = "DecisionUpdate",
                .action = "DecisionUpdated",
                .note = note_on(placement, decision, "updated")};
  if (outcome.code == ScheduleOutcome::Code::Warning) {
    notice.type = Notice::Type::Warning;
    notice.note += fmt::format(": {} in plugin {}", outcome.message, outcome.plugin);
    notice.note.resize(cut_utf8(notice.note, kNoteMax).size());
  }
  return notice;
}

Notice score_updated(const Schedule& schedule, const FleetView& fleet) {
  std::vector<const Ranked*> by_name;
  by_name.reserve(schedule.feasible.size());
  for (const Ranked& ranked : schedule.feasible) by_name.push_back(&ranked);
  std::ranges::sort(by_name, {}, [&fleet](const Ranked* ranked) {
    return fleet.clusters().position(ranked->cluster);
  });
  std::string note;
  for (const Ranked* ranked : by_name) {
    const std::string item = fmt::format("{}:{} ", fleet.name(ranked->cluster), ranked->total);
    if (note.size() + item.size() > kScoresMax) {
      note += "......";
      break;
    }
    note += item;
  }
  return {.reason = "ScoreUpdate", .action = "ScoreUpdated", .note = std::move(note)};
}

}  // namespace berth::placement
