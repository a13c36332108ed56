// What strikes every now and then: most faults differ in what they do and in how it is undone, and
// in nothing else.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/fault.h"

namespace berth::sim {

struct Recurring {
  std::string description;
  Duration between;  // On average.
  std::function<void(World&, Random&)> strike;
  std::function<void(World&)> undo = [](World&) {};  // Whatever is left of all strikes.
};

// The random numbers are those of its strikes.
std::unique_ptr<Fault> recurring(Random random, Recurring what);

// What also ends by itself.
struct Spells {
  std::string_view name;  // In the plural.
  Duration between;
  Duration lasts_most;
  void (*strike)(World& world, Random& random, Duration lasts_most);
  void (*undo)(World& world);
};
std::unique_ptr<Fault> recurring(Random random, const Spells& spells);

}  // namespace berth::sim
