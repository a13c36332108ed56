// YAML of several objects, so that what two programs print can be compared.

#pragma once

#include <string>
#include <vector>

namespace berth::kube {

// Each object as text with its members in one order; sorted. Fails the test if it is no YAML.
std::vector<std::string> objects_of(const std::string& yaml);

}  // namespace berth::kube
