#include "local/template_hash.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "json/print.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kLength = 10;

// The order of members says nothing, so it must not count.
std::uint64_t hash_of(const Value& value, std::uint64_t start) {
  if (value.is_array()) {
    std::uint64_t hash = hash64("[", start);
    for (const Value& element : value.elements()) hash = hash64(",", hash_of(element, hash));
    return hash64("]", hash);
  }
  if (!value.is_object()) return hash64(json::print(value), start);
  std::vector<const json::Member*> members;
  for (const json::Member& member : value.members()) members.push_back(&member);
  std::ranges::sort(members, {}, &json::Member::name);
  std::uint64_t hash = hash64("{", start);
  for (const json::Member* member : members) {
    hash = hash_of(member->value, hash64(":", hash_of(member->key, hash)));
  }
  return hash64("}", hash);
}

}  // namespace

std::string template_hash(const Value& pattern) {
  std::uint64_t hash = hash_of(without_hash(pattern), kHashStart);
  std::string text;
  for (std::size_t i = 0; i < kLength; ++i) {
    text += kLetters[hash % kLetters.size()];
    hash /= kLetters.size();
  }
  return text;
}

Value without_hash(Value pattern) {
  Value* metadata = pattern.find("metadata");
  Value* labels = metadata == nullptr ? nullptr : metadata->find("labels");
  if (labels != nullptr) labels->erase(kTemplateHash);
  return pattern;
}

}  // namespace berth::local
