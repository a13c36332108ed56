// What kills and power losses have in common: machines go down, at any moment or between two of
// their disk's operations, and come back.

#pragma once

#include <optional>
#include <string>

#include "sim/fault.h"

namespace berth::sim {

struct CrashRates {
  Crash kind;
  Duration between;
  Duration down_most;
};

class CrashEpisodes final : public Fault {
 public:
  CrashEpisodes(CrashRates rates, Random random);

  std::string describe() const override;
  void begin(World& world) override;
  void end(World& world) override;  // Starts all machines that are down.

 private:
  void strike(World& world, Random& random);

  CrashRates rates_;
  Random random_;
  std::optional<Episodes> episodes_;
};

}  // namespace berth::sim
