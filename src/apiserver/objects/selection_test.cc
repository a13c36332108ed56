#include "apiserver/objects/selection.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

TEST(Selection, CoversByName) {
  EXPECT_TRUE(Selection{}.covers("a/b"));
  EXPECT_TRUE((Selection{.prefix = "a/"}.covers("a/b")));
  EXPECT_FALSE((Selection{.prefix = "a/"}.covers("ab/c")));
  EXPECT_TRUE((Selection{.name = "a/b"}.covers("a/b")));
  EXPECT_FALSE((Selection{.name = "a/b"}.covers("a/bc")));
}

TEST(Selection, LooksInsideForLabelsAndFields) {
  const json::Value object = json::parse(R"({"metadata":{"name":"x","labels":{"a":"b"}}})").value();
  Selection selection;
  EXPECT_FALSE(selection.looks_inside());
  EXPECT_TRUE(selection.matches(object));
  selection.labels = api::LabelSelector::parse("a=b").value();
  selection.fields = api::FieldSelector::parse("metadata.name!=y").value();
  EXPECT_TRUE(selection.looks_inside());
  EXPECT_TRUE(selection.matches(object));
  selection.fields = api::FieldSelector::parse("metadata.name=y").value();
  EXPECT_FALSE(selection.matches(object));
}

}  // namespace
}  // namespace berth::apiserver
