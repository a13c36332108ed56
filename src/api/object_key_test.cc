#include "api/object_key.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(ObjectKey, ReadsWhatItPrints) {
  for (const std::string_view text : {"web", "default/web"}) {
    EXPECT_EQ(ObjectKey::parse(text).value().to_string(), text);
  }
  EXPECT_EQ(ObjectKey::parse("default/web").value(),
            (ObjectKey{.namespace_name = "default", .name = "web"}));
}

TEST(ObjectKey, RefusesMoreThanOneSlash) {
  EXPECT_EQ(ObjectKey::parse("a/b/c").error().message, "unexpected key format: \"a/b/c\"");
}

TEST(ObjectKey, IsOrderedByNamespaceThenName) {
  EXPECT_LT((ObjectKey{.namespace_name = "a", .name = "z"}),
            (ObjectKey{.namespace_name = "b", .name = "a"}));
  EXPECT_LT((ObjectKey{.namespace_name = "a", .name = "a"}),
            (ObjectKey{.namespace_name = "a", .name = "b"}));
}

}  // namespace
}  // namespace berth::api
