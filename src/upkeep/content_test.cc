#include "upkeep/content.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;

Content content(std::string_view list) {
  return content_of({"", "v1", "pods"}, json::parse(list).value());
}

TEST(WhatIsLeft, IsNothingInAnEmptyOrBrokenList) {
  EXPECT_EQ(content("{}").count, 0);
  EXPECT_EQ(content(R"({"items":[]})").count, 0);
  EXPECT_EQ(content(R"({"items":7,"metadata":{"remainingItemCount":-5}})").count, 0);
}

TEST(WhatIsLeft, CountsObjectsFinalizersNamespacesAndGrace) {
  const Content left = content(R"({"metadata":{"remainingItemCount":3},"items":[
      {"metadata":{"name":"a","namespace":"x","finalizers":["f","g"],
                   "deletionGracePeriodSeconds":30}},
      {"metadata":{"name":"b","namespace":"y","finalizers":["f"],
                   "deletionGracePeriodSeconds":5}}]})");
  EXPECT_EQ(left.count, 5);
  EXPECT_EQ(left.finalizers, (std::map<std::string, std::int64_t>{{"f", 2}, {"g", 1}}));
  EXPECT_EQ(left.by_namespace, (std::map<std::string, std::int64_t>{{"x", 1}, {"y", 1}}));
  EXPECT_EQ(left.grace, 30s);
}

TEST(WhatIsLeft, BelievesNoAbsurdGrace) {
  EXPECT_EQ(
      content(R"({"items":[{"metadata":{"deletionGracePeriodSeconds":9223372036854775807}}]})")
          .grace,
      24h);
}

}  // namespace
}  // namespace berth::upkeep
