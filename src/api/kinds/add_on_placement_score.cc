#include "api/kinds/add_on_placement_score.h"

namespace berth::api {

AddOnPlacementScore read_add_on_placement_score(const json::Value& object) {
  const json::Value& status = field(object, "status");
  AddOnPlacementScore score{.facts = read_facts(object),
                            .valid_until = time_field(status, "validUntil")};
  for (const json::Value& item : elements_field(status, "scores")) {
    score.scores.push_back(
        {.name = text_field(item, "name"), .value = int32_field(item, "value").value_or(0)});
  }
  return score;
}

}  // namespace berth::api
