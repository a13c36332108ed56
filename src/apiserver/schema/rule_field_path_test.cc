#include "apiserver/schema/rule_field_path.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

std::string read(std::string_view path, Brackets brackets = Brackets::Allowed) {
  SchemaSet nodes;
  const auto schema = json::parse(R"({"type": "object", "properties": {"spec": {"type": "object",
      "properties": {"a.b": {"type": "string"}, "it's": {"type": "string"},
                     "map": {"type": "object", "additionalProperties": {"type": "integer"}},
                     "text": {"type": "string"}}}}})")
                          .value();
  const auto found = read_field_path(*build_structural(nodes, schema).root, path, brackets);
  return found.ok() ? found->text : "!" + found.error().message;
}

TEST(RuleFieldPath, LeadsToFieldsOfTheSchema) {
  EXPECT_EQ(read(".spec.text"), "spec.text");
  EXPECT_EQ(read(".spec['a.b']"), "spec.a.b");
  EXPECT_EQ(read(R"(.spec['it\'s'])"), "spec.it's");
  EXPECT_EQ(read(".spec.map.key"), "spec.map[key]");
  EXPECT_EQ(read(".spec.map['k.e']"), "spec.map[k.e]");
  EXPECT_EQ(read(""), "");
}

TEST(RuleFieldPath, SaysWhatIsWrong) {
  EXPECT_EQ(read("spec"), "!expected [ or . but got: spec");
  EXPECT_EQ(read(".none"), "!does not refer to a valid field");
  EXPECT_EQ(read(".spec.text.more"), "!does not refer to a valid field");
  EXPECT_EQ(read(".spec."), "!unexpected end of JSON path");
  EXPECT_EQ(read(".spec["), "!unexpected end of JSON path");
  EXPECT_EQ(read(".spec[0]"), "!expected single quoted string but got 0");
  EXPECT_EQ(read(R"(.spec['\z'])"), R"(!invalid string literal: invalid escape char \z)");
  EXPECT_EQ(read(".spec['text'"), "!unexpected end of JSON path");
  EXPECT_EQ(read(".spec['text'."), "!expected ] but got .");
  EXPECT_EQ(read(".spec['text']", Brackets::Refused), "!array notation is not allowed");
}

}  // namespace
}  // namespace berth::apiserver
