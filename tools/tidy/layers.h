// Rule: who may include whom. The table is layers.txt.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "tidy/source.h"

namespace berth::tidy {

struct Layers {
  std::map<std::string, std::set<std::string>, std::less<>> allowed = {};
  std::map<std::string, std::set<std::string>, std::less<>> allowed_in_shells = {};
};

Result<Layers> parse_layers(std::string_view text);

std::vector<Finding> check_layers(const Source& source, const Layers& layers);

}  // namespace berth::tidy
