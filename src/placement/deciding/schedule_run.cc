#include "placement/deciding/schedule_run.h"

#include <algorithm>

#include <fmt/format.h>

namespace berth::placement {
namespace {

// With one digit that counts: 345 is 300.
std::uint64_t rounded(std::uint64_t number) {
  std::uint64_t unit = 1;
  while (number / unit >= 10) unit *= 10;
  return number / unit * unit;
}

}  // namespace

std::vector<ScheduleRun::Progress> ScheduleRun::resume(std::size_t predicate,
                                                       std::vector<Progress> fresh) const {
  if (predicate >= progress_.size()) return fresh;
  auto known = progress_[predicate].begin();
  const auto end = progress_[predicate].end();
  for (Progress& progress : fresh) {
    while (known != end && known->cluster < progress.cluster) ++known;
    if (known == end) break;
    if (known->cluster == progress.cluster && known->version == progress.version) progress = *known;
  }
  return fresh;
}

void ScheduleRun::remember(std::size_t predicate, std::vector<Progress> progress) {
  if (predicate >= progress_.size()) progress_.resize(predicate + 1);
  progress_[predicate] = std::move(progress);
}

std::uint64_t ScheduleRun::allowance() const {
  return std::min(slice_left_, is_over_budget() ? 0 : budget_ - spent_);
}

void ScheduleRun::spend(std::uint64_t cost) {
  slice_left_ -= std::min(cost, slice_left_);
  spent_ += cost;
  ++evaluations_;
}

std::string ScheduleRun::over_budget_message() const {
  const std::uint64_t average = evaluations_ == 0 ? 0 : spent_ / evaluations_;
  return fmt::format(
      "one expression costs about {} on one cluster, and all of them on all clusters may cost {}: "
      "make them cheaper, or ask them of fewer clusters (labels, claims and cluster sets are "
      "looked at first)",
      rounded(average), budget_);
}

}  // namespace berth::placement
