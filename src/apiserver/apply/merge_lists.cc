#include "apiserver/apply/merge_lists.h"

#include <algorithm>

namespace berth::apiserver {
namespace {

// Finds the positions of elements in a list.
class Positions {
 public:
  explicit Positions(std::span<const PathElement> list) : list_(list) {
    sorted_.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) sorted_.push_back(i);
    std::ranges::sort(sorted_, [this](std::size_t a, std::size_t b) {
      const auto order = list_[a] <=> list_[b];
      return order != 0 ? order < 0 : a < b;
    });
  }

  // Ascending.
  std::span<const std::size_t> find(const PathElement& wanted) const {
    const auto element = [this](std::size_t at) -> const PathElement& { return list_[at]; };
    return std::ranges::equal_range(sorted_, wanted, {}, element);
  }

 private:
  std::span<const PathElement> list_;
  std::vector<std::size_t> sorted_;
};

// Walks both lists at once. `next_shared` is the applied element whose turn it is among those that
// both lists have: live elements whose turn has not come are passed over and merged later.
class Ordering {
 public:
  Ordering(std::span<const PathElement> live, std::span<const PathElement> applied)
      : live_(live), applied_(applied), in_live_(live), in_applied_(applied) {
    merged_.resize(applied.size());
    skip_unshared();
  }

  std::vector<MergedItem> run() {
    while (at_live_ < live_.size() || at_applied_ < applied_.size()) step();
    return std::move(items_);
  }

 private:
  void step() {
    const auto partner = applied_partner();
    if (at_live_ < live_.size()) {
      if (!partner) {
        items_.push_back({.live = at_live_++});
        return;
      }
      const bool both_go_on = at_applied_ < applied_.size();
      if (both_go_on && *partner == at_applied_) {
        ++at_live_;
        take_applied();
        return;
      }
      if (both_go_on && next_shared_ < applied_.size() && *partner != next_shared_) {
        ++at_live_;
        return;
      }
      if (merged_[*partner]) ++at_live_;
    }
    if (at_applied_ < applied_.size()) take_applied();
  }

  std::optional<std::size_t> applied_partner() const {
    if (at_live_ >= live_.size()) return std::nullopt;
    const auto found = in_applied_.find(live_[at_live_]);
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  void take_applied() {
    const auto found = in_live_.find(applied_[at_applied_]);
    items_.push_back({.live = found.size() == 1 ? std::optional(found.front()) : std::nullopt,
                      .applied = at_applied_});
    merged_[at_applied_] = true;
    if (next_shared_ == at_applied_) {
      ++next_shared_;
      skip_unshared();
    }
    ++at_applied_;
  }

  void skip_unshared() {
    while (next_shared_ < applied_.size() && in_live_.find(applied_[next_shared_]).empty()) {
      ++next_shared_;
    }
  }

  std::span<const PathElement> live_;
  std::span<const PathElement> applied_;
  Positions in_live_;
  Positions in_applied_;
  std::size_t at_live_ = 0;
  std::size_t at_applied_ = 0;
  std::size_t next_shared_ = 0;
  std::vector<bool> merged_;  // Of the applied elements.
  std::vector<MergedItem> items_;
};

}  // namespace

std::vector<MergedItem> merge_order(std::span<const PathElement> live,
                                    std::span<const PathElement> applied) {
  return Ordering(live, applied).run();
}

}  // namespace berth::apiserver
