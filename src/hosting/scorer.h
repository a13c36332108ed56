// What speaks for a host. A further scorer is one more row in scorers().

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "hosting/question.h"

namespace berth::hosting {

struct Scorer {
  std::string_view name;

  // 0 to 100, and below 0 for what should be avoided. Pure. The host has passed all filters.
  std::int32_t (*points)(const Question& question, HostIndex host);
};

std::span<const Scorer> scorers();

}  // namespace berth::hosting
