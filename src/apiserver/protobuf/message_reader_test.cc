#include "apiserver/protobuf/message_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using namespace std::string_literals;

// A field of bytes, which must be short.
std::string field(unsigned number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) +
         std::string(1, static_cast<char>(bytes.size())) + bytes;
}

// What was read, or "error: ..." instead.
std::string read(std::string_view rows, const std::string& bytes) {
  const std::string text = R"({"kinds": {"v1/A": "A"}, "messages": {"A": )" + std::string(rows) +
                           R"(, "B": [[1, "x", "string"], [2, "again", "B"]],
        "k8s.io.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps":
            [[5, "type", "string"]]}})";
  const MessageTable table(json::parse(text).value());
  auto members = read_message(*table.find_kind({.version = "v1", .kind = "A"}), bytes, {});
  if (!members.ok()) return "error: " + members.error().message;
  return json::print(json::Value::take_object(*members));
}

TEST(MessageReader, LeavesOutWhatGoLeavesOut) {
  const std::string zeros = "\x0a\x00\x10\x00\x18\x00\x22\x00"s;
  EXPECT_EQ(read(R"([[1,"s","string"],[2,"i","int"],[3,"b","bool"],[4,"y","bytes"]])", zeros),
            "{}");
  EXPECT_EQ(read(R"([[1,"s","string","zero"],[2,"i","int","zero"],[3,"b","bool","zero"],)"
                 R"([4,"y","bytes","zero"]])",
                 zeros),
            R"({"s":"","i":0,"b":false,"y":""})");
}

TEST(MessageReader, KeepsTheOrderOfTheTable) {
  EXPECT_EQ(read(R"([[2,"b","string"],[1,"a","string"]])", field(1, "x") + field(2, "y")),
            R"({"b":"y","a":"x"})");
}

TEST(MessageReader, ReadsNumbers) {
  EXPECT_EQ(read(R"([[1,"i","int"]])", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s),
            R"({"i":-1})");
  EXPECT_EQ(read(R"([[1,"d","double"]])", "\x09\x00\x00\x00\x00\x00\x00\x04\x40"s), R"({"d":2.5})");
  EXPECT_EQ(read(R"([[1,"d","double","zero"]])", "\x09\x00\x00\x00\x00\x00\x00\x00\x00"s),
            R"({"d":0})");
  EXPECT_EQ(read(R"([[1,"d","double"]])", "\x09\x00\x00\x00\x00\x00\x00\xf0\x7f"s),
            "error: d: a number that JSON cannot say");
}

TEST(MessageReader, ReadsListsMapsAndWhatIsEmbedded) {
  EXPECT_EQ(read(R"([[1,"l","string","list"],[2,"","B"]])",
                 field(1, "a") + field(2, field(1, "in")) + field(1, "")),
            R"({"l":["a",""],"x":"in"})");
  EXPECT_EQ(read(R"([[1,"m","string","map"]])",
                 field(1, field(1, "k") + field(2, "v")) + field(1, field(1, "e"))),
            R"({"m":{"k":"v","e":""}})");
  EXPECT_EQ(read(R"([[1,"m","B","map"]])", field(1, "")), R"({"m":{"":{}}})");
}

TEST(MessageReader, OfEqualNamesInAMapTheLastCounts) {
  EXPECT_EQ(read(R"([[1,"m","string","map"]])",
                 field(1, field(1, "k") + field(2, "v")) + field(1, field(1, "k") + field(2, "w"))),
            R"({"m":{"k":"w"}})");
}

TEST(MessageReader, ReadsSpecialTypes) {
  EXPECT_EQ(read(R"([[1,"t","Time"],[2,"m","MicroTime"],[3,"q","Quantity"],[4,"p","IntOrString"],)"
                 R"([5,"j","Json"],[6,"e","Strings","map"]])",
                 field(1, "\x08\x01"s) + field(2, "\x08\x01"s) + field(3, field(1, "1")) +
                     field(4, "\x10\x07"s) + field(5, field(1, "[1]")) +
                     field(6, field(1, "k") + field(2, field(1, "v")))),
            R"({"t":"1970-01-01T00:00:01Z","m":"1970-01-01T00:00:01.000000Z","q":"1","p":7,)"
            R"("j":[1],"e":{"k":["v"]}})");
  EXPECT_EQ(read(R"([[1,"t","Time"],[5,"j","Json"]])", field(1, "") + field(5, "")), "{}");
}

TEST(MessageReader, ReadsSchemasAndWhatMayStandInstead) {
  const std::string schema = field(5, "object");
  EXPECT_EQ(read(R"([[1,"a","SchemaOrArray"],[2,"b","SchemaOrBool"],[3,"c","SchemaOrStrings"]])",
                 field(1, field(1, schema)) + field(2, "\x08\x01"s + field(2, schema)) +
                     field(3, field(1, schema))),
            R"({"a":{"type":"object"},"b":{"type":"object"},"c":{"type":"object"}})");
  EXPECT_EQ(read(R"([[1,"a","SchemaOrArray"],[2,"b","SchemaOrBool"],[3,"c","SchemaOrStrings"]])",
                 field(1, field(2, schema)) + field(2, "\x08\x01"s) + field(3, field(2, "x"))),
            R"({"a":[{"type":"object"}],"b":true,"c":["x"]})");
}

TEST(MessageReader, SkipsWhatItDoesNotKnow) {
  EXPECT_EQ(read(R"([[1,"s","string"]])", field(9, "?") + field(1, "x") + "\x50\x01"s),
            R"({"s":"x"})");
}

TEST(MessageReader, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(read(R"([[1,"b","B","list"]])", field(1, field(1, "\xff"))),
            "error: b: x: a string is not UTF-8");
  EXPECT_EQ(read(R"([[1,"s","string"]])", "\x08\x01"s), "error: s: of another wire type");
  EXPECT_EQ(read(R"([[1,"s","string"]])", field(1, "x") + field(1, "y")), "error: s: comes twice");
  EXPECT_EQ(read(R"([[1,"s","string"]])", "\x0a\x05x"s),
            "error: not in the wire format of protobuf");
  EXPECT_EQ(read(R"([[1,"m","Json","map"]])", field(1, field(1, "k") + field(2, field(1, "{"))))
                .substr(0, 11),
            "error: m: k");
}

TEST(MessageReader, StopsWhereMessagesLieTooDeep) {
  // Each one inside of the next; lengths beyond 127 take two bytes.
  const auto wrapped = [](std::size_t depth) {
    std::string bytes;
    for (std::size_t i = 0; i < depth; ++i) {
      std::string around = "\x12";
      if (bytes.size() > 127) {
        around += static_cast<char>((bytes.size() & 127) | 128);
        around += static_cast<char>(bytes.size() >> 7);
      } else {
        around += static_cast<char>(bytes.size());
      }
      bytes = around + bytes;
    }
    return bytes;
  };
  EXPECT_TRUE(read(R"([[2,"again","B"]])", wrapped(kMessageDepthMax - 1)).starts_with("{"));
  EXPECT_TRUE(read(R"([[2,"again","B"]])", wrapped(kMessageDepthMax))
                  .ends_with("messages lie too deep inside each other"));
}

}  // namespace
}  // namespace berth::apiserver
