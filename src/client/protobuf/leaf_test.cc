#include "client/protobuf/leaf.h"

#include <gtest/gtest.h>

#include "client/testing/protobuf_writer.h"

namespace berth::client::protobuf {
namespace {

using testing::Proto;

Result<json::Value> read(FieldType type, const Proto& message) {
  const std::string bytes = message.bytes();
  return leaf_value({.name = "x", .type = type}, *WireReader(bytes).next());
}

Proto holding(const Proto& message) { return Proto().message(1, message); }

TEST(Leaf, ReadsScalars) {
  EXPECT_EQ(read(FieldType::String, Proto().text(1, "a")).value(), json::Value("a"));
  EXPECT_EQ(read(FieldType::Integer, Proto().number(1, 5)).value(), json::Value(5));
  EXPECT_EQ(read(FieldType::Integer, Proto().number(1, ~std::uint64_t{0})).value(),
            json::Value(-1));
  EXPECT_EQ(read(FieldType::Boolean, Proto().number(1, 1)).value(), json::Value(true));
}

TEST(Leaf, ReadsTypesWithAJsonFormOfTheirOwn) {
  EXPECT_EQ(read(FieldType::Quantity, holding(Proto().text(1, "100m"))).value(),
            json::Value("100m"));
  const Proto time = Proto().number(1, 1763251200).number(2, 5);
  EXPECT_EQ(read(FieldType::Time, holding(time)).value(), json::Value("2025-11-16T00:00:00Z"));
  EXPECT_TRUE(read(FieldType::Time, holding(Proto())).value().is_null());
  const Proto port = Proto().number(1, 0).number(2, 8080).text(3, "");
  EXPECT_EQ(read(FieldType::IntOrString, holding(port)).value(), json::Value(8080));
  const Proto named = Proto().number(1, 1).number(2, 0).text(3, "http");
  EXPECT_EQ(read(FieldType::IntOrString, holding(named)).value(), json::Value("http"));
  EXPECT_EQ(read(FieldType::Json, holding(Proto().text(1, R"({"a":1})"))).value(),
            json::Value::object({{"a", 1}}));
}

TEST(Leaf, RefusesWhatIsNotOfItsType) {
  EXPECT_EQ(read(FieldType::String, Proto().number(1, 1)).error().code, Code::NotAcceptable);
  EXPECT_FALSE(read(FieldType::Integer, Proto().text(1, "1")).ok());
  EXPECT_FALSE(read(FieldType::String, Proto().text(1, "\xff")).ok()) << "not UTF-8";
  EXPECT_FALSE(read(FieldType::Time, Proto().text(1, "\x0a")).ok()) << "cut off";
  EXPECT_FALSE(read(FieldType::Json, holding(Proto().text(1, "{"))).ok());
}

TEST(Leaf, LeavesOutZerosUnlessTheFieldKeepsThem) {
  const WireField zero{.number = 1};
  const WireField empty{.number = 1, .type = WireType::Bytes};
  EXPECT_TRUE(is_left_out({.type = FieldType::Integer}, zero));
  EXPECT_FALSE(is_left_out({.type = FieldType::Integer, .keeps_zero = true}, zero));
  EXPECT_TRUE(is_left_out({.type = FieldType::String}, empty));
  EXPECT_FALSE(is_left_out({.type = FieldType::Message}, empty)) << "JSON shows {}";
}

}  // namespace
}  // namespace berth::client::protobuf
