// What a check finds, as lines: "spec.replicas: Invalid value: -1: must be ...".

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver::testing {

// One line each, as they come.
std::vector<std::string> lines_of(const std::vector<Cause>& causes);

// Only where something is wrong.
std::vector<std::string> fields_of(const std::vector<Cause>& causes);

// Of YAML.
json::Value yaml_object(std::string_view yaml);

using Check = void (*)(const Place& place, Complaints& complaints);

// What the check says about the object as a whole.
std::vector<std::string> found_in(Check check, std::string_view yaml);

}  // namespace berth::apiserver::testing
