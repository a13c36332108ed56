#include "apiserver/schema/defaulting.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

std::string filled(const std::string& text) {
  SchemaSet nodes;
  const auto schema = json::parse(R"json({"type": "object", "properties": {
    "a": {"type": "string", "default": "x"},
    "n": {"type": "string", "nullable": true, "default": "y"},
    "o": {"type": "object", "default": {}, "properties": {"p": {"type": "integer", "default": 1}}},
    "q": {"type": "object", "properties": {"p": {"type": "integer", "default": 2}}},
    "l": {"type": "array", "items": {"type": "object", "properties":
          {"p": {"type": "integer", "default": 3}}}},
    "s": {"type": "array", "items": {"type": "string", "default": "z"}},
    "m": {"type": "object", "additionalProperties": {"type": "object", "default": {"r": 1},
          "properties": {"p": {"type": "integer", "default": 4}}}}}})json")
                          .value();
  const Schema& root = *build_structural(nodes, schema).root;
  return json::print(with_defaults(root, json::parse(text).value()));
}

TEST(Defaulting, PutsInWhatIsMissing) {
  EXPECT_EQ(filled("{}"), R"({"a":"x","n":"y","o":{"p":1}})");
  EXPECT_EQ(filled(R"({"a": "own", "o": {"p": 9}, "n": "own"})"),
            R"({"a":"own","o":{"p":9},"n":"own"})");
}

TEST(Defaulting, ReplacesNullsThatAreNotAllowed) {
  EXPECT_EQ(filled(R"({"a": null, "n": null, "o": null})"), R"({"a":"x","n":null,"o":{"p":1}})");
}

TEST(Defaulting, GoesIntoListsAndMapsButMakesNone) {
  EXPECT_EQ(
      filled(R"({"q": {}, "l": [{}, {"p": 0}], "s": [null, "w"], "m": {"k": {}, "n": null}})"),
      R"({"q":{"p":2},"l":[{"p":3},{"p":0}],"s":["z","w"],)"
      R"("m":{"k":{"p":4},"n":{"r":1,"p":4}},"a":"x","n":"y","o":{"p":1}})");
}

TEST(Defaulting, LeavesValuesOfAnotherFormAlone) {
  EXPECT_EQ(filled("[]"), "[]");
  EXPECT_EQ(filled(R"({"q": 5, "l": {}, "m": []})"),
            R"({"q":5,"l":{},"m":[],"a":"x","n":"y","o":{"p":1}})");
}

}  // namespace
}  // namespace berth::apiserver
