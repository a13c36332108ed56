#include "api/kinds/placement_decision.h"

namespace berth::api {

PlacementDecision read_placement_decision(const json::Value& object) {
  PlacementDecision decision{.facts = read_facts(object)};
  for (const json::Value& entry : elements_field(field(object, "status"), "decisions")) {
    auto score = integer_field(entry, "score");
    if (score == 0) score.reset();
    decision.decisions.push_back({.cluster = text_field(entry, "clusterName"),
                                  .reason = text_field(entry, "reason"),
                                  .score = score});
  }
  return decision;
}

}  // namespace berth::api
