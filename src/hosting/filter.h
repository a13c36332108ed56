// What can stand against a host. A further filter is one more row in filters().

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hosting/question.h"

namespace berth::hosting {

struct Filter {
  std::string_view name;

  // Pure. Asked for every host of every request; no text is made before somebody reads it.
  bool (*passes)(const Question& question, HostIndex host);

  // Why it does not pass, with the actual values. Only asked for when it does not.
  std::string (*reason)(const Question& question, HostIndex host);

  std::string_view what;    // Of several hosts: "are at their maximum".
  std::string_view remedy;  // What would help.
};

std::span<const Filter> filters();  // In the order in which they are asked.

}  // namespace berth::hosting
