// Tested by value_test.cc.

// Equality of Values. Objects come from strangers too, so comparing them takes n log n steps even
// if their members are in different orders.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "json/number.h"
#include "json/value.h"

namespace berth::json {
namespace {

// Objects up to this size are compared by looking for each member.
constexpr std::size_t kSearchMax = 16;

std::vector<const Member*> sorted_members(const Value& object) {
  std::vector<const Member*> sorted;
  sorted.reserve(object.size());
  for (const Member& member : object.members()) sorted.push_back(&member);
  std::ranges::sort(sorted, {}, [](const Member* member) { return member->name(); });
  return sorted;
}

bool same_member(const Member& a, const Member& b) {
  return a.name() == b.name() && a.value == b.value;
}

bool same_names_in_order(const Value& a, const Value& b) {
  return std::ranges::equal(a.members(), b.members(), {}, &Member::name, &Member::name);
}

bool same_members(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  if (same_names_in_order(a, b)) return std::ranges::equal(a.members(), b.members(), same_member);
  if (a.size() <= kSearchMax) {
    return std::ranges::all_of(a.members(), [&](const Member& member) {
      const Value* other = b.find(member.name());
      return other && *other == member.value;
    });
  }
  return std::ranges::equal(
      sorted_members(a), sorted_members(b),
      [](const Member* left, const Member* right) { return same_member(*left, *right); });
}

bool same_number(const Value& a, const Value& b) {
  const auto whole_a = a.as_int();
  const auto whole_b = b.as_int();
  if (whole_a && whole_b) return *whole_a == *whole_b;
  return equal_numbers(a.number_text(), b.number_text());
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::Null:
      return true;
    case Kind::Boolean:
      return a.as_bool() == b.as_bool();
    case Kind::Number:
      return same_number(a, b);
    case Kind::String:
      return a.text() == b.text();
    case Kind::Array:
      return std::ranges::equal(a.elements(), b.elements());
    case Kind::Object:
      return same_members(a, b);
  }
  return false;
}

}  // namespace berth::json
