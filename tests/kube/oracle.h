// The oracle: what the Go libraries that everybody trusts say; see peers/oracle.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace berth::kube {

// The lines that it prints; none when it cannot be run. Found through $BERTH_ORACLE. Arguments must
// not need quotes.
std::vector<std::string> ask_oracle(std::string_view arguments);

// What JSON spells as null is absent in protobuf.
json::Value without_nulls(const json::Value& value);

}  // namespace berth::kube
