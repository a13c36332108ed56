// Filters and scores, not only the choice that comes of them: what the reference's debug endpoint
// answers, and what Berth's engine says it answers.

#pragma once

#include <map>

#include "base/time.h"
#include "json/value.h"
#include "kube/comparison/objects.h"

namespace berth::kube {

// About every placement. The endpoint leaves cluster sets aside: it looks at all clusters.
std::map<ObjectName, json::Value> predicted_answers(Objects objects, Time now);

// Without the order that the reference leaves to chance.
json::Value normalised_answer(const json::Value& answer);

}  // namespace berth::kube
