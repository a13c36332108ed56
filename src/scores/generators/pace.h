// When the runs of one measurement begin: rounds of some runs, every so often.
//
//   due -- begin() --> under way -- end(), more runs to come --> due after waitBetweenRuns
//                                `- end(), the last of the round --> due after the interval

#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

namespace berth::scores {

class Pace {
 public:
  struct Options {
    std::int64_t runs = 1;
    Duration wait_between_runs = Duration::zero();
    Duration interval = std::chrono::seconds(60);
  };

  Pace(const Options& options, Instant first) : options_(options), due_(first) {}

  // When the next run is to begin; nothing while one is under way.
  std::optional<Instant> due() const { return due_; }

  // The next run begins. It must be due.
  void begin(Instant now);

  // The run under way has ended. True: so has its round. `draw`, from 0 to 1, moves the next round
  // by up to a tenth of the interval either way, so that many agents do not measure in step.
  bool end(Instant now, double draw);

 private:
  Options options_;
  std::optional<Instant> due_;
  std::int64_t done_ = 0;  // Runs of this round.
  Instant round_began_ = {};
};

}  // namespace berth::scores
