// Random contents of a Thing (apply_crd.h), from few values, so that writers meet.

#pragma once

#include "base/random.h"
#include "json/value.h"

namespace berth::kube {

// Each field with the given probability.
json::Value draw_spec(Random& random, double density);
json::Value draw_status(Random& random, double density);

// Lists of scalars without duplicates, in random order.
json::Value draw_texts(Random& random);

}  // namespace berth::kube
