// Trouble, as data: each kind draws from the seed how often and how badly it strikes.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "sim/world.h"

namespace berth::sim {

class Fault {
 public:
  virtual ~Fault() = default;

  virtual std::string describe() const = 0;

  virtual void begin(World& world) = 0;

  // Nothing of it is left afterwards: the world must be able to settle.
  virtual void end(World& world) = 0;
};

// How a fault is found by name and drawn from a seed.
struct FaultKind {
  std::string_view name;
  std::unique_ptr<Fault> (*draw)(Random random);
};

// Strikes at random moments, on average once in `between`, until it dies.
class Episodes {
 public:
  Episodes(World& world, Random random, Duration between,
           std::function<void(World&, Random&)> strike);
  ~Episodes();
  Episodes(const Episodes&) = delete;
  Episodes& operator=(const Episodes&) = delete;

 private:
  void plan();

  World& world_;
  Random random_;
  Duration between_;
  std::function<void(World&, Random&)> strike_;
  Schedule::Ticket ticket_;
};

// For drawing options: a length between two, the small ones as likely as the large ones.
Duration draw_length(Random& random, Duration least, Duration most);

// "1.5s", "20ms": for describe().
std::string to_text(Duration length);

}  // namespace berth::sim
