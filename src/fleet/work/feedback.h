// What is read back from an applied object, by rules that a work names.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/conditions.h"
#include "fleet/work/manifest_work.h"
#include "json/value.h"

namespace berth::fleet {

struct Feedback {
  json::Value values = json::Value::array();  // As in status.resourceStatus.manifests[].
  api::Condition condition;                   // StatusFeedbackSynced.
};

// A value that cannot be read keeps none of the others back.
Feedback read_feedback(const json::Value& object, const std::vector<FeedbackRule>& rules);

}  // namespace berth::fleet
