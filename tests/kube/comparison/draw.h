// Small draws that the generators share.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/random.h"
#include "json/parse.h"
#include "json/value.h"
#include "kube/comparison/objects.h"

namespace berth::kube {

inline std::string_view pick(Random& random, std::initializer_list<std::string_view> choices) {
  return choices.begin()[random.below(choices.size())];
}

// One of several JSON texts.
inline json::Value pick_json(Random& random, std::initializer_list<std::string_view> choices) {
  auto value = json::parse(pick(random, choices));
  CHECK(value.ok());
  return *std::move(value);
}

// The table must not be empty.
inline const ObjectName& pick_name(Random& random, const Objects::Table& table) {
  return std::next(table.begin(), static_cast<std::ptrdiff_t>(random.below(table.size())))->first;
}

}  // namespace berth::kube
