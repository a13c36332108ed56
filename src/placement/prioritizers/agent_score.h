// Ranks clusters by a number which each cluster's own score agent publishes.

#pragma once

#include <string>

#include "api/kinds/placement.h"
#include "placement/prioritizer.h"

namespace berth::placement {

struct ScoreReport;

// A cluster whose report is missing, expired or silent about the score gets the neutral score here,
// with a note; what silence finally counts as is the placement's policy. Published values are taken
// as they are: their range is the schema's business.
class AgentScore final : public Prioritizer {
 public:
  explicit AgentScore(api::AddOnScore source);

  std::string_view name() const override { return name_; }
  Reads reads() const override { return {.scores = {source_}}; }
  Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const override;

 private:
  std::string expired_warning(const Request& request, std::span<const ClusterIndex> expired) const;

  api::AddOnScore source_;
  std::string name_;  // "AddOn/<resource>/<score>"
};

}  // namespace berth::placement
