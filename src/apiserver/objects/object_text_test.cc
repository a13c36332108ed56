#include "apiserver/objects/object_text.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

store::Draft draft(std::string_view text) { return draft_of(json::parse(text).value()); }

TEST(ObjectText, PutsTheHeadIntoOrderAndLeavesRoomForTheVersion) {
  const store::Draft made =
      draft(R"({"spec":{"b":1,"a":2},"metadata":{"labels":{"l":"1"},"odd":1,"resourceVersion":"9",)"
            R"("uid":"u","name":"x"},"apiVersion":"v1","kind":"Pod"})");
  EXPECT_EQ(made.text, R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","uid":"u",)"
                       R"("resourceVersion":"","labels":{"l":"1"},"odd":1},"spec":{"b":1,"a":2}})");
  EXPECT_EQ(made.text.substr(made.version_at - 1, 2), "\"\"");
}

TEST(ObjectText, CopesWithEmptyMetadata) {
  EXPECT_EQ(draft(R"({"kind":"K","apiVersion":"v1","metadata":{}})").text,
            R"({"kind":"K","apiVersion":"v1","metadata":{"resourceVersion":""}})");
}

TEST(ObjectText, ChangesTheApiVersion) {
  const std::string text = draft(R"({"kind":"K","apiVersion":"g/v1","metadata":{}})").text;
  EXPECT_EQ(api_version_of(text), "g/v1");
  EXPECT_EQ(with_api_version(text, "g/v1beta1"),
            R"({"kind":"K","apiVersion":"g/v1beta1","metadata":{"resourceVersion":""}})");
}

}  // namespace
}  // namespace berth::apiserver
