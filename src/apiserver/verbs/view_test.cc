#include "apiserver/verbs/view.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

TEST(View, NamesInTablesBeginWithTheNamespace) {
  EXPECT_EQ(table_name("ns", "a"), "ns/a");
  EXPECT_EQ(table_name("", "a"), "a");
}

TEST(View, FindsObjectsOfOneMoment) {
  testing::TestHub hub;
  const View before = hub.view();
  hub.post("/api/v1/namespaces/team/configmaps", R"({"metadata":{"name":"m"}})");
  EXPECT_FALSE(before.find("configmaps", "team/m"));
  const auto found = hub.view().find("configmaps", "team/m");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->find("kind")->string_or_empty(), "ConfigMap");
}

}  // namespace
}  // namespace berth::apiserver
