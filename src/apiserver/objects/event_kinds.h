// The two kinds of Event. They are one table in the store, kept as the core group has them;
// events.k8s.io gives the same fields other names.

#pragma once

#include "json/value.h"

namespace berth::apiserver {

json::Value to_core_event(const json::Value& event);    // From events.k8s.io/v1.
json::Value from_core_event(const json::Value& event);  // To events.k8s.io/v1.

}  // namespace berth::apiserver
