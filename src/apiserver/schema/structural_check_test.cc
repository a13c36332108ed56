#include "apiserver/schema/structural_check.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"

// What kube-apiserver says of whole definitions is in custom/definition_validation_test.cc.

namespace berth::apiserver {
namespace {

std::vector<std::string> complaints(const char* text) {
  std::vector<std::string> lines;
  for (const Cause& cause : check_structural(json::parse(text).value(), "s")) {
    lines.push_back(cause.field + ": " + cause.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(StructuralCheck, WantsATypeEverywhere) {
  EXPECT_EQ(complaints(R"({"type": "object", "properties": {"b": {}, "a": {"type": "array",
                           "items": {}}}})"),
            (Lines{"s.properties[a].items.type: Required value: must not be empty for specified "
                   "array items",
                   "s.properties[b].type: Required value: must not be empty for specified object "
                   "fields"}));
}

TEST(StructuralCheck, WantsAPlaceInTheStructureForWhatIsSaidOfValues) {
  EXPECT_EQ(complaints(R"({"type": "object", "properties": {"l": {"type": "object"}},
                           "allOf": [{"properties": {"l": {"anyOf": [{"items": {"minLength": 1}}]},
                                                     "m": {"minimum": 1}}}]})"),
            (Lines{"s.properties[l].items: Required value: because it is defined in "
                   "s.allOf[0].properties[l].anyOf[0].items",
                   "s.properties[m]: Required value: because it is defined in "
                   "s.allOf[0].properties[m]"}));
}

TEST(StructuralCheck, AcceptsTheTwoFormsOfIntOrString) {
  EXPECT_TRUE(complaints(R"({"type": "object", "properties": {
      "a": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
      "b": {"x-kubernetes-int-or-string": true, "allOf": [{"anyOf": [{"type": "integer"},
            {"type": "string"}]}, {"pattern": "a"}]}}})")
                  .empty());
}

TEST(StructuralCheck, ReadsAnythingWithoutComplaint) {
  check_structural(json::parse(R"([{"a": 1}])").value(), "s");
  check_structural(json::parse(R"({"properties": 5, "allOf": [3, []], "not": 1})").value(), "s");
}

}  // namespace
}  // namespace berth::apiserver
