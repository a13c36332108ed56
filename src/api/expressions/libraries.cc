#include "api/expressions/libraries.h"

#include "cel/ext_optional.h"
#include "cel/ext_strings.h"
#include "cel/standard.h"

namespace berth::api {

void add_kubernetes_libraries(cel::Environment& environment, SemverVersion version) {
  cel::add_standard_library(environment);
  cel::add_optional_library(environment);
  cel::add_strings_library(environment);
  add_lists_library(environment);
  add_regex_library(environment);
  add_url_library(environment);
  add_quantity_library(environment);
  add_ip_library(environment);
  add_cidr_library(environment);
  add_format_library(environment);
  add_semver_library(environment, version);
}

}  // namespace berth::api
