// Which version of a group is the better one: v2 > v1 > v1beta2 > v1beta1 > v1alpha1 > anything
// else.

#pragma once

#include <string_view>

namespace berth::apiserver {

// Whether `a` comes before `b` where the preferred version comes first. What does not look like a
// version of Kubernetes comes last, by name.
bool is_preferred_version(std::string_view a, std::string_view b);

}  // namespace berth::apiserver
