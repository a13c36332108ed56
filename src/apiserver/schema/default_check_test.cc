#include "apiserver/schema/default_check.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

std::vector<std::string> complaints(const char* text) {
  SchemaSet nodes;
  std::vector<std::string> lines;
  for (const Cause& cause :
       check_defaults(*build_structural(nodes, json::parse(text).value()).root, "s")) {
    lines.push_back(cause.field + ": " + cause.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(DefaultCheck, HoldsDefaultsToTheirOwnSchema) {
  EXPECT_EQ(complaints(R"({"type": "object", "properties": {
      "a": {"type": "object", "default": {"x": {"z": 1}, "n": 5}, "properties": {
        "x": {"type": "object", "default": {}}, "n": {"type": "integer", "maximum": 3}}},
      "l": {"type": "array", "items": {"type": "string", "default": 5}}}})"),
            (Lines{R"(s.properties[a].default: Invalid value: {"n":5,"x":{"z":1}}: must not have )"
                   "unknown fields",
                   "s.properties[a].default.n: Invalid value: 5: n in body should be less than or "
                   "equal to 3",
                   R"(s.properties[l].items.default: Invalid value: "integer":  in body must be )"
                   R"(of type string: "integer")"}));
}

TEST(DefaultCheck, EvaluatesTheRulesOfDefaults) {
  EXPECT_EQ(complaints(R"({"type": "object", "properties": {"a": {"type": "integer", "default": 1,
      "x-kubernetes-validations": [{"rule": "self > 5"}, {"rule": "self == oldSelf"}]}}})"),
            Lines{"s.properties[a].default: Invalid value: 1: failed rule: self > 5"});
}

TEST(DefaultCheck, AcceptsSoundDefaults) {
  EXPECT_TRUE(complaints(R"({"type": "object", "properties": {"a": {"type": "object",
      "default": {"b": "x"}, "properties": {"b": {"type": "string"}}}}})")
                  .empty());
}

}  // namespace
}  // namespace berth::apiserver
