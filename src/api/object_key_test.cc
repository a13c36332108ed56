#include "api/object_key.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(ObjectKey, ReadsWhatItPrints) {
  for (const std::string_view text : {"web", "default/web"}) {
    EXPECT_EQ(ObjectKey::parse(text).value().text(), text);
  }
  EXPECT_EQ(ObjectKey::parse("default/web").value(), (ObjectKey{.ns = "default", .name = "web"}));
}

TEST(ObjectKey, RefusesMoreThanOneSlash) {
  EXPECT_EQ(ObjectKey::parse("a/b/c").error().message, "unexpected key format: \"a/b/c\"");
}

TEST(ObjectKey, IsOrderedByNamespaceThenName) {
  EXPECT_LT((ObjectKey{.ns = "a", .name = "z"}), (ObjectKey{.ns = "b", .name = "a"}));
  EXPECT_LT((ObjectKey{.ns = "a", .name = "a"}), (ObjectKey{.ns = "a", .name = "b"}));
}

}  // namespace
}  // namespace berth::api
