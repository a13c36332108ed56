#include "apiserver/custom/custom_registry.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::TestHub;

TEST(CustomRegistry, ServesBuiltInKindsAndWhatIsDefined) {
  TestHub hub;
  EXPECT_EQ(hub.view().registry->find("ex.io", "v1", "foos"), nullptr);
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  const View view = hub.view();
  EXPECT_NE(view.registry->find("", "v1", "pods"), nullptr);
  const auto foos = view.registry->find("ex.io", "v1", "foos");
  ASSERT_NE(foos, nullptr);
  EXPECT_EQ(foos->kind, "Foo");
  EXPECT_EQ(foos->table, "foos.ex.io");
  EXPECT_EQ(view.registry->find("ex.io", "v1alpha1", "foos")->storage_version, "ex.io/v1");
}

TEST(CustomRegistry, GivesTheSchemaAsItWasWritten) {
  TestHub hub;
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  const View view = hub.view();
  const auto schema = raw_schema(*view.registry->find("ex.io", "v1", "foos"), *view.snapshot);
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->find_path({"properties", "spec", "properties", "n", "minimum"})->as_int(), 1);
  EXPECT_FALSE(raw_schema(*view.registry->find("", "v1", "pods"), *view.snapshot));
  EXPECT_FALSE(raw_schema(*view.registry->find("ex.io", "v1", "foos"), store::Snapshot()));
}

TEST(CustomRegistry, NothingNewOfADefinitionThatGoes) {
  TestHub hub;
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  hub.remove(std::string(testing::kDefinitions) + "/foos.ex.io");
  const auto foos = hub.view().registry->find("ex.io", "v1", "foos");
  ASSERT_NE(foos, nullptr);
  EXPECT_FALSE(foos->has_verb("create"));
  EXPECT_TRUE(foos->has_verb("delete"));
}

}  // namespace
}  // namespace berth::apiserver
