#include "json/pointer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::json {
namespace {

std::string at(const Value& document, std::string_view pointer) {
  const Value* found = find(document, Pointer::parse(pointer).value());
  return found ? print(*found) : "nothing";
}

TEST(Pointer, FindsTheExamplesOfTheRfc) {
  const Value document = parse(R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3,
                                   "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8})")
                             .value();
  EXPECT_EQ(at(document, ""), print(document));
  EXPECT_EQ(at(document, "/foo"), R"(["bar","baz"])");
  EXPECT_EQ(at(document, "/foo/0"), R"("bar")");
  EXPECT_EQ(at(document, "/"), "0");
  EXPECT_EQ(at(document, "/a~1b"), "1");
  EXPECT_EQ(at(document, "/c%d"), "2");
  EXPECT_EQ(at(document, "/ "), "7");
  EXPECT_EQ(at(document, "/m~0n"), "8");
}

TEST(Pointer, FindsNothingWhereNothingIs) {
  const Value document = parse(R"({"a": [1, {"b": null}], "~01": 2})").value();
  for (const std::string_view pointer :
       {"/b", "/a/2", "/a/-", "/a/x", "/a/-3", "/a/0/b", "/a/1/b/c", "/a/99999999999999999999"}) {
    EXPECT_EQ(at(document, pointer), "nothing") << pointer;
  }
  EXPECT_EQ(at(document, "/a/-1/b"), "null");
  EXPECT_EQ(at(document, "/~001"), "2");
}

TEST(Pointer, MustStartWithASlash) {
  EXPECT_EQ(Pointer::parse("a/b").error().message,
            "\"a/b\" is not a JSON pointer: it does not start with '/'");
}

TEST(Pointer, KnowsItsParts) {
  const Pointer pointer = Pointer::parse("/a/b~1c").value();
  EXPECT_EQ(pointer.last(), "b/c");
  EXPECT_EQ(pointer.parent().text(), "/a");
  EXPECT_TRUE(pointer.parent().parent().is_root());
}

TEST(Pointer, AddsChildren) {
  Value array = Value::array({1, 2});
  EXPECT_TRUE(add_child(array, "-", 3).ok());
  EXPECT_TRUE(add_child(array, "0", 0).ok());
  EXPECT_TRUE(add_child(array, "4", 4).ok());
  EXPECT_TRUE(add_child(array, "-2", "before the last").ok());
  EXPECT_EQ(array, Value::array({0, 1, 2, 3, "before the last", 4}));
  EXPECT_EQ(add_child(array, "7", 0).error().message,
            "Unable to access invalid index: 7: invalid index referenced");
  EXPECT_EQ(add_child(array, "x", 0).error().message, "value was not a proper array index: 'x'");

  Value object = Value::object({{"a", 1}});
  EXPECT_TRUE(add_child(object, "a", 2).ok());
  EXPECT_TRUE(add_child(object, "b", 3).ok());
  EXPECT_EQ(object, Value::object({{"a", 2}, {"b", 3}}));
  Value text = "x";
  EXPECT_EQ(add_child(text, "a", 1).error().message, "expected an object or array, found a string");
}

TEST(Pointer, RemovesChildren) {
  Value array = Value::array({1, 2, 3});
  EXPECT_EQ(remove_child(array, "1").value(), Value(2));
  EXPECT_EQ(remove_child(array, "-1").value(), Value(3));
  EXPECT_FALSE(remove_child(array, "-").ok());
  EXPECT_FALSE(remove_child(array, "1").ok());
  Value object = Value::object({{"a", 1}, {"b", 2}});
  EXPECT_EQ(remove_child(object, "a").value(), Value(1));
  EXPECT_EQ(remove_child(object, "a").error().message,
            "Unable to remove nonexistent key: a: missing value");
  Value number = 1;
  EXPECT_FALSE(remove_child(number, "a").ok());
}

RC_GTEST_PROP(PointerProperty, ParsesBackWhatItPrints, (std::vector<std::string> tokens)) {
  const Pointer pointer(tokens);
  const Pointer again = Pointer::parse(pointer.text()).value();
  RC_ASSERT(std::vector(again.tokens().begin(), again.tokens().end()) == tokens);
}

}  // namespace
}  // namespace berth::json
