// One fleet after another on a real hub where the reference's controller decides, and after every
// edit the question whether it wrote what Berth's engine says it will.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "kube/comparison/hub.h"
#include "kube/comparison/judgement.h"
#include "kube/comparison/observation.h"
#include "kube/comparison/recording.h"
#include "kube/ocm_controller.h"

namespace berth::kube {

class Comparison {
 public:
  // What is seen goes to the recorder, if there is one.
  Comparison(Hub& hub, OcmController& controller, Recorder* recorder)
      : hub_(hub), controller_(controller), recorder_(recorder) {}

  // Makes the fleet of the seed and edits it. The first difference, told in full, or nothing.
  Result<std::optional<std::string>> run_fleet(std::uint64_t seed, int edits);

  const ComparisonCounts& counts() const { return counts_; }

 private:
  using Difference = std::optional<std::string>;

  Result<Difference> check(Observation& seen);
  Status ask(Observation& seen);
  Status poke_all();

  Hub& hub_;
  OcmController& controller_;
  Recorder* recorder_;
  ComparisonCounts counts_;
};

}  // namespace berth::kube
