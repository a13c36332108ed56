// Filters and scores, not only the choice that comes of them: what the reference's debug endpoint
// answers, and what Berth's engine says it answers.

#pragma once

#include "base/time.h"
#include "json/value.h"
#include "kube/comparison/objects.h"

namespace berth::kube {

// The endpoint leaves cluster sets aside: it looks at all clusters.
json::Value predicted_answer(Objects objects, const ObjectName& placement, Time now);

// Without the order that the reference leaves to chance.
json::Value normalised_answer(const json::Value& answer);

}  // namespace berth::kube
