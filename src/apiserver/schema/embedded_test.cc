#include "apiserver/schema/embedded.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

std::vector<std::string> complaints(const std::string& text) {
  SchemaSet nodes;
  const auto schema = json::parse(R"json({"type": "object", "properties": {
    "list": {"type": "array", "items": {"type": "object", "x-kubernetes-embedded-resource": true,
             "x-kubernetes-preserve-unknown-fields": true}}}})json")
                          .value();
  std::vector<std::string> lines;
  for (const Cause& cause :
       validate_embedded(*build_structural(nodes, schema).root, json::parse(text).value())) {
    lines.push_back(cause.field + ": " + cause.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(EmbeddedResources, MustSayWhatTheyAre) {
  EXPECT_EQ(complaints(R"({"list": [{"apiVersion": "v1", "kind": "Pod"}, {}]})"),
            (Lines{"list[1].apiVersion: Required value", "list[1].kind: Required value"}));
  EXPECT_EQ(complaints(R"({"list": [{"apiVersion": "", "kind": 5}]})"),
            (Lines{R"(list[0].apiVersion: Invalid value: "": must not be empty)",
                   "list[0].kind: Invalid value: 5: must be a string"}));
}

TEST(EmbeddedResources, MustHaveSoundNames) {
  EXPECT_EQ(complaints(R"({"list": [{"apiVersion": "v1", "kind": "Pod",
                           "metadata": {"name": "a/b%"}},
                          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": ".."}}]})"),
            (Lines{R"(list[0].metadata.name: Invalid value: "a/b%": may not contain '/')",
                   R"(list[0].metadata.name: Invalid value: "a/b%": may not contain '%')",
                   R"(list[1].metadata.name: Invalid value: "..": may not be '..')"}));
  EXPECT_EQ(complaints(R"({"list": [{"apiVersion": "v1", "kind": "Pod",
                           "metadata": {"labels": {"a": "b", "c d": "e"}}}]})")
                .size(),
            1U);
  EXPECT_EQ(complaints(R"({"list": [{"apiVersion": "v1", "kind": "Pod",
                           "metadata": {"namespace": "Not A Name"}}]})")
                .size(),
            1U);
  EXPECT_TRUE(complaints(R"({"list": [{"apiVersion": "v1", "kind": "Pod",
                             "metadata": {"namespace": "shop"}}]})")
                  .empty());
}

TEST(EmbeddedResources, DoNotIncludeTheObjectItself) {
  EXPECT_TRUE(complaints(R"({"list": []})").empty());
}

}  // namespace
}  // namespace berth::apiserver
