// Namespaces: born active, and gone only when everything inside is.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

inline constexpr std::string_view kNamespaceFinalizer = "kubernetes";  // Of spec.finalizers.

Strategy namespace_strategy();

// Those without which nothing works cannot be deleted.
bool is_permanent_namespace(std::string_view name);

// Refuses new objects in a namespace that does not exist or is about to end.
Attempt<void> check_namespace_open(const View& view, const Resource& resource, std::string_view ns,
                                   std::string_view object_name);

}  // namespace berth::apiserver
