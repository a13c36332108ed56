#include "apiserver/requests/continue_token.h"

#include <gtest/gtest.h>

#include "base/base64.h"

namespace berth::apiserver {
namespace {

TEST(ContinueToken, IsWhatKubernetesWrites) {
  EXPECT_EQ(encode_continue({.revision = 207, .start = std::string("ns/a\0", 5)}, "ns/"),
            "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MjA3LCJzdGFydCI6ImFcdTAwMDAifQ");
}

TEST(ContinueToken, ReadsItsOwn) {
  const ContinueToken token{.revision = 5, .start = "ns/?>~"};
  const auto back = decode_continue(encode_continue(token, "ns/"), "ns/");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->revision, 5);
  EXPECT_EQ(back->start, token.start);
}

TEST(ContinueToken, CannotLeadOutOfItsNamespace) {
  for (const std::string start : {"../other/x", "x/../../other", ".."}) {
    const std::string text = encode_continue({.revision = 5, .start = start}, "");
    const auto token = decode_continue(text, "a/");
    ASSERT_FALSE(token.ok()) << start;
    EXPECT_EQ(token.error().code, Code::BadRequest);
  }
}

TEST(ContinueToken, RefusesNonsense) {
  for (const std::string_view text : {"%%%", "e30", "bm8"}) {
    EXPECT_FALSE(decode_continue(text, "").ok()) << text;
  }
  for (const std::string_view document :
       {R"({"v":"other","rv":1,"start":"a"})", R"({"v":"meta.k8s.io/v1","rv":0,"start":"a"})",
        R"({"v":"meta.k8s.io/v1","rv":1,"start":""})", R"({"v":"meta.k8s.io/v1","rv":1.5})"}) {
    EXPECT_FALSE(decode_continue(encode_base64(document), "").ok()) << document;
  }
}

}  // namespace
}  // namespace berth::apiserver
