#include "client/entry_reader.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

TEST(EntryReader, ReadsFieldsAndTakesAbsentAndNullAsDefault) {
  const json::Value entry = json::parse(R"({"s":"x","b":true,"l":["p","q"],"d":"Zm9v","n":null,
    "o":{}})")
                                .value();
  EntryReader reader(entry, "f");
  EXPECT_EQ(reader.text("s"), "x");
  EXPECT_EQ(reader.text("n"), "");
  EXPECT_EQ(reader.text("absent"), "");
  EXPECT_TRUE(reader.boolean("b"));
  EXPECT_FALSE(reader.boolean("n"));
  EXPECT_EQ(reader.texts("l"), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(reader.base64("d"), "foo");
  EXPECT_NE(reader.object("o"), nullptr);
  EXPECT_EQ(reader.array("n"), nullptr);
  EXPECT_TRUE(reader.status().ok());
}

TEST(EntryReader, KeepsTheFirstProblem) {
  const json::Value entry = json::parse(R"({"s":7,"b":"yes","l":[1],"d":"!"})").value();
  EntryReader reader(entry, "file: users[0]");
  EXPECT_EQ(reader.text("s"), "");
  reader.boolean("b");
  EXPECT_EQ(reader.status().error().message, "file: users[0]: s: expected string, found number");

  EntryReader list(entry, "f");
  list.texts("l");
  EXPECT_EQ(list.status().error().message, "f: l: expected strings, found number");
  EntryReader data(entry, "f");
  data.base64("d");
  EXPECT_EQ(data.status().error().message, "f: d: base64: bad character at offset 0");
}

TEST(EntryReader, WhatIsNoObjectIsSaidSo) {
  const json::Value entry = json::parse("[1]").value();
  EXPECT_EQ(EntryReader(entry, "f").status().error().message, "f: expected object, found array");
}

}  // namespace
}  // namespace berth::client
