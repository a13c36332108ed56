// Random clusters, sets, bindings and scores.

#pragma once

#include "base/random.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::kube {

// metadata.labels; as a patch, every known label is in it, null where it is missing.
json::Value draw_cluster_labels(Random& random);
json::Value draw_taints(Random& random, Time start);
json::Value draw_cluster_status(Random& random);  // Claims, capacity, allocatable, version.
json::Value draw_set_spec(Random& random);
json::Value draw_score_status(Random& random, Time start);

}  // namespace berth::kube
