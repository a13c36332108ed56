#include "apiserver/apply/validate.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::ThingType;

std::string problem(std::string_view object, Duplicates duplicates = Duplicates::Refused) {
  const ThingType thing;
  const Status status = validate_forms(json_of(object), thing.type, duplicates);
  return status.ok() ? "" : status.error().message;
}

TEST(Validate, SaysWhatAndWhereAsTheReferenceDoes) {
  EXPECT_EQ(problem(R"({"spec":{"n":1,"free":{"x":[1]},"any":{"y":1},"s":null}})"), "");
  EXPECT_EQ(problem(R"({"spec":{"bogus":2}})"), ".spec.bogus: field not declared in schema");
  EXPECT_EQ(problem(R"({"spec":{"s":1}})"),
            ".spec.s: expected string, got &value.valueUnstructured{Value:1}");
  EXPECT_EQ(problem(R"({"spec":{"n":"x"}})"),
            ".spec.n: expected numeric (int or float), got string");
  EXPECT_EQ(problem(R"({"spec":{"nested":"str"}})"), ".spec.nested: expected map, got &{str}");
  EXPECT_EQ(problem(R"({"spec":{"set":"str"}})"), ".spec.set: expected list, got &{str}");
  EXPECT_EQ(problem(R"({"spec":{"set":["a","a"]}})"),
            ".spec.set: duplicate entries for key [=\"a\"]");
  EXPECT_EQ(problem(R"({"metadata":{"labels":{"a":1}}})"),
            ".metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}");
  EXPECT_EQ(problem(R"({"spec":{"truth":"x"}})").substr(0, 29), ".spec.truth: expected boolean");
}

TEST(Validate, ListsSeveralProblems) {
  EXPECT_EQ(problem(R"({"spec":{"s":1,"nested":2}})"),
            "errors:\n  .spec.s: expected string, got &value.valueUnstructured{Value:1}\n"
            "  .spec.nested: expected map, got &{2}");
}

TEST(Validate, StoredObjectsMayHaveDuplicates) {
  EXPECT_EQ(problem(R"({"spec":{"set":["a","a"]}})", Duplicates::Allowed), "");
}

TEST(Validate, ElementsNeedTheirKeys) {
  EXPECT_EQ(problem(R"({"spec":{"named":[{"v":1}]}})").substr(0, 24), ".spec.named: element 0: ");
}

TEST(Validate, AnswersAreBounded) {
  std::string text = R"({"spec":{"atomic":[0)";
  for (int i = 1; i < 1000; ++i) text += ",0";
  EXPECT_EQ(std::ranges::count(problem(text + "]}}"), '\n'), 100);
}

}  // namespace
}  // namespace berth::apiserver
