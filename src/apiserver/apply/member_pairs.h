// The members of two objects side by side, whatever their order.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace berth::apiserver {

// Finds members of one object for somebody who goes through another that has mostly the same names
// in the same order. Objects come from strangers too, so the worst case takes n log n steps.
class MemberLookup {
 public:
  explicit MemberLookup(const json::Value* object) : object_(object) {}

  // nullptr when there is none. `position` is where to look first.
  const json::Value* find(std::size_t position, std::string_view name) {
    if (!object_) return nullptr;
    const auto members = object_->members();
    if (position < members.size() && members[position].name() == name) {
      return &members[position].value;
    }
    if (members.size() <= kSearchMax) return object_->find(name);
    if (sorted_.empty()) sort();
    const auto at = std::ranges::lower_bound(sorted_, name, {}, &json::Member::name);
    return at != sorted_.end() && (*at)->name() == name ? &(*at)->value : nullptr;
  }

 private:
  static constexpr std::size_t kSearchMax = 16;

  void sort() {
    sorted_.reserve(object_->size());
    for (const json::Member& member : object_->members()) sorted_.push_back(&member);
    std::ranges::sort(sorted_, {}, &json::Member::name);
  }

  const json::Value* object_;
  std::vector<const json::Member*> sorted_;
};

// Calls visit(name, left, right) for every name that occurs: those of `left` in their order, then
// the others. A side that lacks the name is nullptr. Either object may be nullptr.
template <typename Visit>
void for_each_pair(const json::Value* left, const json::Value* right, Visit visit) {
  MemberLookup in_left(left);
  MemberLookup in_right(right);
  if (left) {
    for (std::size_t i = 0; i < left->size(); ++i) {
      const json::Member& member = left->members()[i];
      visit(member.name(), &member.value, in_right.find(i, member.name()));
    }
  }
  if (!right) return;
  for (std::size_t i = 0; i < right->size(); ++i) {
    const json::Member& member = right->members()[i];
    if (in_left.find(i, member.name())) continue;
    visit(member.name(), static_cast<const json::Value*>(nullptr), &member.value);
  }
}

}  // namespace berth::apiserver
