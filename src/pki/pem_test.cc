#include "pki/pem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::pki {
namespace {

using ::testing::HasSubstr;

TEST(Pem, WhatIsEncodedReadsBackTheSame) {
  const std::string bytes(100, '\x7f');
  const std::string text = encode_pem("CERTIFICATE", bytes);
  EXPECT_TRUE(text.starts_with("-----BEGIN CERTIFICATE-----\n"));
  EXPECT_EQ(parse_pem(text).value(), (std::vector<PemBlock>{{"CERTIFICATE", bytes}}));
}

TEST(Pem, ReadsSeveralBlocksAndSkipsTextAroundThem) {
  const std::string text =
      "subject=/CN=a\r\n" + encode_pem("A", "one") + "\nnoise\n" + encode_pem("B C", "two");
  const auto blocks = parse_pem(text).value();
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0], (PemBlock{"A", "one"}));
  EXPECT_EQ(blocks[1], (PemBlock{"B C", "two"}));
  EXPECT_TRUE(parse_pem("nothing here").value().empty());
  EXPECT_TRUE(parse_pem("").value().empty());
}

TEST(Pem, TellsThatABlockHasHeaders) {
  const auto blocks =
      parse_pem("-----BEGIN K-----\nProc-Type: 4,ENCRYPTED\n\nYQ==\n-----END K-----").value();
  EXPECT_TRUE(blocks.at(0).has_headers);
  EXPECT_EQ(blocks.at(0).bytes, "a");
}

TEST(Pem, ErrorsNameTheBlockAndTheLine) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {"\n-----BEGIN A-----\nYQ==\n", "PEM block \"A\" that begins in line 2 has no end"},
      {"-----BEGIN A-----\nYQ==\n-----END B-----\n", "has no end"},
      {"-----BEGIN A-----\n!!\n-----END A-----\n", "PEM block \"A\" that begins in line 1: "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_THAT(parse_pem(c.text).error().message, HasSubstr(c.message));
  }
  EXPECT_THAT(parse_pem(std::string(kPemSizeMax + 1, ' ')).error().message, HasSubstr("more than"));
}

RC_GTEST_PROP(PemProperty, AnyBytesSurvive, (const std::string& bytes)) {
  RC_ASSERT(parse_pem(encode_pem("X", bytes)).value().at(0).bytes == bytes);
}

}  // namespace
}  // namespace berth::pki
