#include "api/protobuf/wire.h"

#include <string>

#include <gtest/gtest.h>

#include "api/protobuf/testing/proto.h"

namespace berth::api::protobuf {
namespace {

using testing::Proto;
using namespace std::string_literals;

TEST(Wire, ReadsFieldsInTheirOrder) {
  const std::string bytes = Proto().text(1, "one").number(16, 300).text(2, "").bytes();
  WireReader reader(bytes);
  EXPECT_TRUE(reader.next_is(1));
  EXPECT_EQ(reader.next()->bytes, "one");
  EXPECT_TRUE(reader.next_is(16));
  EXPECT_FALSE(reader.next_is(1));
  EXPECT_EQ(reader.next()->varint, 300u);
  const auto last = reader.next();
  EXPECT_EQ(last->number, 2u);
  EXPECT_EQ(last->type, WireType::Bytes);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next_is(2));
  EXPECT_FALSE(reader.failed());
}

TEST(Wire, ReadsTheLargestNumber) {
  const std::string bytes = Proto().number(1, ~std::uint64_t{0}).bytes();
  EXPECT_EQ(WireReader(bytes).next()->varint, ~std::uint64_t{0});
}

TEST(Wire, SkipsNumbersOfFixedWidth) {
  const std::string bytes = "\x09"s + "12345678" + "\x15" + "1234" + Proto().number(3, 7).bytes();
  WireReader reader(bytes);
  EXPECT_EQ(reader.next()->bytes, "12345678");
  EXPECT_EQ(reader.next()->bytes, "1234");
  EXPECT_EQ(reader.next()->varint, 7u);
}

TEST(Wire, FailsOnWhatIsCutOffOrImpossible) {
  const std::string broken[] = {
      "\x0a"s,  // No length.
      "\x0a\x05"
      "abc"s,                             // Shorter than it says.
      "\x08"s,                            // No number.
      "\x08\xff\xff"s,                    // Half a number.
      "\x08"s + std::string(11, '\xff'),  // A number of more than 64 bits.
      "\x09"
      "1234567"s,                                       // Seven of eight bytes.
      "\x0b"s,                                          // The start of a group.
      "\x00\x01"s,                                      // Field 0.
      "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,  // A length that overflows.
  };
  for (const std::string& bytes : broken) {
    SCOPED_TRACE(::testing::PrintToString(bytes));
    WireReader reader(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.failed());
    EXPECT_FALSE(reader.next());
  }
}

}  // namespace
}  // namespace berth::api::protobuf
