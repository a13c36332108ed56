#include "apiserver/validation/testing/findings.h"

#include "json/yaml_read.h"

namespace berth::apiserver::testing {

std::vector<std::string> lines_of(const std::vector<Cause>& causes) {
  std::vector<std::string> lines;
  for (const Cause& cause : causes) lines.push_back(cause.field + ": " + cause.message);
  return lines;
}

std::vector<std::string> fields_of(const std::vector<Cause>& causes) {
  std::vector<std::string> fields;
  for (const Cause& cause : causes) fields.push_back(cause.field);
  return fields;
}

json::Value yaml_object(std::string_view yaml) { return json::read_one_yaml(yaml).value(); }

std::vector<std::string> found_in(Check check, std::string_view yaml) {
  const json::Value object = yaml_object(yaml);
  Complaints complaints;
  check(Place(object), complaints);
  return lines_of(complaints.take());
}

}  // namespace berth::apiserver::testing
