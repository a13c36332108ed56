// One fleet after another on a real hub where the reference's controller decides, and after every
// edit the question whether it wrote what Berth's engine says it will.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "kube/comparison/hub.h"
#include "kube/comparison/prediction.h"
#include "kube/ocm_controller.h"

namespace berth::kube {

struct ComparisonCounts {
  int steps = 0;
  int predictions = 0;  // That were compared.
  int moves = 0;        // Those where something had to be written.
  int scores = 0;       // Answers of the debug endpoint that were compared.
  int unordered = 0;    // Edits that moved several placements whose order matters.
  int disturbed = 0;    // Questions that other placements' decisions spoiled meanwhile.
  int endless = 0;      // Placements that the reference never finishes.
  std::map<std::string, int> conditions = {};  // How often each reason was right.

  std::string text() const;
};

class Comparison {
 public:
  Comparison(Hub& hub, OcmController& controller) : hub_(hub), controller_(controller) {}

  // Makes the fleet of the seed and edits it. The difference, told in full, or nothing.
  Result<std::optional<std::string>> run_fleet(std::uint64_t seed, int edits);

  const ComparisonCounts& counts() const { return counts_; }

 private:
  using Difference = std::optional<std::string>;

  Result<Difference> step(const Edit& edit);
  Result<Difference> check_rest();
  Result<Difference> check_after_edit(const Objects& before, const Objects& edited, Time at);
  Result<Difference> check_woken(const ObjectName& placement);
  Result<bool> wait_for(const json::Value& wanted, const Objects& before, const ObjectName& name);
  Result<Difference> check_scores();
  void count(const json::Value& before, const json::Value& after);
  std::string tell(std::string_view when, const ObjectName& placement,
                   const json::Value& predicted) const;

  Hub& hub_;
  OcmController& controller_;
  Objects settled_;  // As it was when the last step was found right.
  ComparisonCounts counts_;
};

}  // namespace berth::kube
