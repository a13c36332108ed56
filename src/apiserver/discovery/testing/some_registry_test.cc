#include "apiserver/discovery/testing/some_registry.h"

#include <gtest/gtest.h>

namespace berth::apiserver::testing {
namespace {

TEST(SomeRegistry, HasBuiltinAndCustomResources) {
  const Registry registry = some_registry();
  EXPECT_EQ(registry.find("", "v1", "pods")->custom, nullptr);
  EXPECT_NE(registry.find("zz.io", "v1", "foos")->custom, nullptr);
  EXPECT_NE(registry.find("zz.io", "v1", "foos")->find_subresource("scale"), nullptr);
  EXPECT_EQ(registry.find("", "v1", "nodes"), nullptr);
}

}  // namespace
}  // namespace berth::apiserver::testing
