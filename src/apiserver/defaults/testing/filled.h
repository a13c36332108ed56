// What defaults add, for tests.

#pragma once

#include <string>
#include <string_view>

#include "apiserver/defaults/defaults.h"
#include "apiserver/tables/cells.h"
#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::apiserver::testing {

// The part at a path such as "spec.template" of the object once its defaults are in, as JSON.
inline std::string filled(std::string_view group, std::string_view kind, std::string_view yaml,
                          std::string_view path) {
  return json::print(at(with_defaults(group, kind, json::read_one_yaml(yaml).value()), path));
}

}  // namespace berth::apiserver::testing
