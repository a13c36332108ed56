// One step of a path into a value: .name or [key].

#pragma once

#include <string>

#include "cel/context.h"
#include "cel/value.h"

namespace berth::cel {

struct Qualified {
  enum class State { Found, Missing, Failed };

  State state = State::Missing;
  Value value = {};  // What was found, or the error.

  static Qualified failed(const Value& error) { return {.state = State::Failed, .value = error}; }
};

Qualified qualify(Context& context, const Value& operand, const Value& key);

// The error that tells that the key is missing.
Value missing(Context& context, const Value& operand, const Value& key);

// The key as messages show it, without quotes.
std::string display_key(const Value& key);

}  // namespace berth::cel
