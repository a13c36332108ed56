// Amounts of resources in the form in which Kubernetes keeps them.

#pragma once

#include "json/value.h"

namespace berth::apiserver {

// A list such as {"cpu": "1000m"}: canonical, and rounded up to thousandths. What is no quantity
// stays; validation refuses it.
json::Value canonical_quantities(json::Value list);

// One quantity, which keeps its precision.
json::Value canonical_quantity(json::Value quantity);

// {limits, requests}: both canonical.
json::Value canonical_resources(json::Value resources);

}  // namespace berth::apiserver
