// Processes are killed as by kill -9, and start again.
// Tested by faults_test.cc.

#include "sim/faults/crash_episodes.h"
#include "sim/faults/registry.h"

namespace berth::sim {

std::unique_ptr<Fault> draw_kills(Random random) {
  const CrashRates rates = {
      .kind = Crash::Process,
      .between = draw_length(random, std::chrono::milliseconds(200), std::chrono::seconds(20)),
      .down_most = draw_length(random, std::chrono::milliseconds(10), std::chrono::seconds(10))};
  return std::make_unique<CrashEpisodes>(rates, random);
}

}  // namespace berth::sim
