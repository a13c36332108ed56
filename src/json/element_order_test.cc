#include "json/element_order.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::json {
namespace {

// Orders a list of scalars.
std::string order(std::string_view merged, std::string_view wanted, std::string_view before) {
  const Value list = parse(merged).value();
  const Value wanted_list = parse(wanted).value();
  const Value before_list = parse(before).value();
  std::vector<Value> ordered = order_elements(
      {list.elements().begin(), list.elements().end()},
      {.wanted = wanted_list.elements(), .before = before_list.elements(), .merge_key = ""});
  return print(Value::take_array(ordered));
}

TEST(ElementOrder, WantedElementsComeInTheWantedOrder) {
  EXPECT_EQ(order("[1,2,3]", "[3,1,2]", "[1,2,3]"), "[3,1,2]");
  EXPECT_EQ(order("[1,2,3]", "[9,3,2,1]", "[]"), "[3,2,1]");
}

TEST(ElementOrder, TheOthersStayInFrontOfWhatFollowedThem) {
  EXPECT_EQ(order("[1,2,3,4]", "[4,2]", "[1,2,3,4]"), "[1,3,4,2]");
  EXPECT_EQ(order("[1,2,3,4]", "[2,4]", "[1,2,3,4]"), "[1,2,3,4]");
  EXPECT_EQ(order("[1,2,5]", "[5]", "[1,2]"), "[5,1,2]");
}

TEST(ElementOrder, ObjectsAreKnownByTheirMergeKey) {
  EXPECT_EQ(element_identity(parse(R"({"name":"a","x":1})").value(), "name"), "\"a\"");
  EXPECT_EQ(element_identity(parse(R"({"x":1})").value(), "name"), "");
  EXPECT_EQ(element_identity(7, ""), "7");
}

}  // namespace
}  // namespace berth::json
