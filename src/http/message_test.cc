#include "http/message.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

TEST(Headers, AreFoundWithoutRegardToTheCaseTheyCameIn) {
  Headers headers;
  headers.add("Content-Type", "application/JSON");
  EXPECT_EQ(headers.find("content-type"), "application/JSON");
  EXPECT_EQ(headers.find("content"), std::nullopt);
}

TEST(Headers, KeepTheOrderAndRepetitionOfTheMessage) {
  Headers headers;
  headers.add("warning", "a");
  headers.add("x", "");
  headers.add("Warning", "b");
  ASSERT_EQ(headers.size(), 3u);
  EXPECT_EQ(headers[0], (Headers::Field{"warning", "a"}));
  EXPECT_EQ(headers[1], (Headers::Field{"x", ""}));
  EXPECT_EQ(headers[2], (Headers::Field{"warning", "b"}));
  EXPECT_EQ(headers.find("warning"), "a");
  EXPECT_EQ(headers.count("warning"), 2u);
}

TEST(Headers, WeighTheirTextPlusTheOverheadOfEachField) {
  Headers headers;
  EXPECT_EQ(headers.weight(), 0u);
  headers.add("ab", "cde");
  EXPECT_EQ(headers.weight(), 37u);
  headers.clear();
  EXPECT_EQ(headers.weight(), 0u);
  EXPECT_TRUE(headers.empty());
}

TEST(Headers, AreEqualWhenTheirFieldsAre) {
  Headers a;
  a.add("ab", "c");
  Headers b;
  b.add("a", "bc");
  EXPECT_NE(a, b);
  Headers c;
  c.add("AB", "c");
  EXPECT_EQ(a, c);
}

TEST(Headers, CannotBeSplitByAValue) {
  Headers headers;
  headers.add("warning", "a\r\nset-cookie: b\tc");
  EXPECT_EQ(headers.find("warning"), "a  set-cookie: b\tc");
}

TEST(Method, NamesReadBack) {
  for (const Method method : {Method::Get, Method::Head, Method::Post, Method::Put, Method::Patch,
                              Method::Delete, Method::Options}) {
    EXPECT_EQ(method_of_name(method_name(method)), method);
  }
  EXPECT_EQ(method_of_name("get"), Method::Other);
  EXPECT_EQ(method_of_name("OTHER"), Method::Other);
  EXPECT_EQ(method_of_name("CONNECT"), Method::Other);
}

TEST(StatusText, KnowsWhatKubernetesSendsAndStaysCalmOtherwise) {
  EXPECT_EQ(status_text(200), "OK");
  EXPECT_EQ(status_text(422), "Unprocessable Content");
  EXPECT_EQ(status_text(299), "Status");
  EXPECT_EQ(status_text(999), "Status");
}

TEST(Token, IsWhatTheStandardAllowsInNames) {
  EXPECT_TRUE(is_token("x-Remote_User.1"));
  EXPECT_FALSE(is_token(""));
  EXPECT_FALSE(is_token("a b"));
  EXPECT_FALSE(is_token("a:"));
  EXPECT_FALSE(is_token("\xc3\xa4"));
}

TEST(FieldValue, HasNoControlCharactersButTheTab) {
  EXPECT_TRUE(is_field_value("a\tb \xc3\xa4"));
  EXPECT_FALSE(is_field_value("a\nb"));
  EXPECT_FALSE(is_field_value(std::string_view("a\0b", 3)));
  EXPECT_FALSE(is_field_value("\x7f"));
}

TEST(List, IsSearchedElementByElement) {
  EXPECT_TRUE(list_contains("keep-alive, Upgrade", "upgrade"));
  EXPECT_TRUE(list_contains("close", "close"));
  EXPECT_FALSE(list_contains("closed", "close"));
  EXPECT_FALSE(list_contains("", "close"));
}

}  // namespace
}  // namespace berth::http
