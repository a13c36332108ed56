#include "apiserver/discovery/published.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/testing/some_registry.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

TEST(Published, CustomResourcesHaveTheirOwnOrder) {
  const Registry registry = testing::some_registry();
  const auto foos = registry.find("zz.io", "v1", "foos");
  EXPECT_EQ(json::print(published_verbs(*foos)),
            R"(["delete","deletecollection","get","list","patch","create","update","watch"])");
  EXPECT_EQ(published_subresources(*foos).front().name, "status");
  const auto pods = registry.find("", "v1", "pods");
  EXPECT_EQ(json::print(published_verbs(*pods)),
            R"(["create","delete","deletecollection","get","list","patch","update","watch"])");
  EXPECT_EQ(published_subresources(*pods).front().name, "binding");
}

TEST(Published, ScaleBelongsToAnotherGroup) {
  const auto foos = testing::some_registry().find("zz.io", "v1", "foos");
  EXPECT_TRUE(is_of_other_version(*foos->find_subresource("scale"), *foos));
  EXPECT_FALSE(is_of_other_version(*foos->find_subresource("status"), *foos));
}

}  // namespace
}  // namespace berth::apiserver
