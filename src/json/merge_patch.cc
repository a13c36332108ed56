#include "json/merge_patch.h"

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace berth::json {
namespace {

// Beyond this many pairs of members, names are looked up in a table instead of one by one: the
// time must not grow with the product of two sizes that a stranger chooses.
constexpr std::size_t kPairsMax = 4096;

// The place of each member.
std::unordered_map<std::string_view, std::size_t> places_of(const Value& object) {
  std::unordered_map<std::string_view, std::size_t> places;
  const auto members = object.members();
  for (std::size_t i = 0; i < members.size(); ++i) places.try_emplace(members[i].name(), i);
  return places;
}

Value apply_to_large_object(const Value& target, const Value& patch) {
  const auto places = places_of(target);
  std::vector<Member> members(target.members().begin(), target.members().end());
  std::vector<bool> removed(members.size());
  for (const Member& change : patch.members()) {
    const auto place = places.find(change.name());
    if (place == places.end()) {
      if (change.value.is_null()) continue;
      members.push_back({change.key, apply_merge_patch({}, change.value)});
    } else if (change.value.is_null()) {
      removed[place->second] = true;
    } else {
      Value& member = members[place->second].value;
      member = apply_merge_patch(std::move(member), change.value);
    }
  }
  std::vector<Member> kept;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i >= removed.size() || !removed[i]) kept.push_back(std::move(members[i]));
  }
  return Value::take_object(kept);
}

}  // namespace

Value apply_merge_patch(Value target, const Value& patch) {
  if (!patch.is_object()) return patch;
  if (!target.is_object()) target = Value::object();
  if (target.size() * patch.size() > kPairsMax) return apply_to_large_object(target, patch);
  for (const Member& change : patch.members()) {
    if (change.value.is_null()) {
      target.erase(change.name());
      continue;
    }
    Value& member = target[change.name()];
    member = apply_merge_patch(std::move(member), change.value);
  }
  return target;
}

Value create_merge_patch(const Value& from, const Value& to) {
  if (!from.is_object() || !to.is_object()) return to;
  const auto old_places = places_of(from);
  const auto new_places = places_of(to);
  Value patch = Value::object();
  for (const Member& old : from.members()) {
    if (!new_places.contains(old.name())) patch.append_member(old.name(), nullptr);
  }
  for (const Member& wanted : to.members()) {
    const auto place = old_places.find(wanted.name());
    if (place == old_places.end()) {
      patch.append_member(wanted.name(), wanted.value);
      continue;
    }
    const Value& old = from.members()[place->second].value;
    if (old != wanted.value) {
      patch.append_member(wanted.name(), create_merge_patch(old, wanted.value));
    }
  }
  return patch;
}

}  // namespace berth::json
