#include "apiserver/objects/shaping.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

class ShapingTest : public ::testing::Test {
 protected:
  ShapingTest() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    foos = hub.view().registry->find("ex.io", "v1", "foos");
    maps = hub.view().registry->find("", "v1", "configmaps");
  }
  static json::Value object(std::string_view text) { return json::parse(text).value(); }

  testing::TestHub hub;
  std::shared_ptr<const Resource> foos;
  std::shared_ptr<const Resource> maps;
};

TEST_F(ShapingTest, UnknownFieldsGoAndAreTold) {
  const auto shaped = shape(*foos, object(R"({"metadata":{"name":"a","mood":"x"},"spec":{"z":1}})"),
                            {"spec.n"}, FieldValidation::Warn);
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ(json::print(shaped->object), R"({"metadata":{"name":"a"},"spec":{}})");
  EXPECT_EQ(shaped->warnings, (std::vector<std::string>{"duplicate field \"spec.n\"",
                                                        "unknown field \"metadata.mood\"",
                                                        "unknown field \"spec.z\""}));
}

TEST_F(ShapingTest, WhoWantsToBeStrictIsRefused) {
  const auto refused =
      shape(*maps, object(R"({"metadata":{},"moon":1})"), {}, FieldValidation::Strict);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.message,
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "unknown field \"moon\"");
  const auto ignored =
      shape(*maps, object(R"({"metadata":{},"moon":1})"), {}, FieldValidation::Ignore);
  EXPECT_TRUE(ignored->warnings.empty());
}

TEST_F(ShapingTest, AWrongTypeOfABuiltInKindCannotBeRead) {
  const auto refused = shape(*maps, object(R"({"data":{"a":1}})"), {}, FieldValidation::Ignore);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.code, Code::BadRequest);
  EXPECT_TRUE(
      shape(*foos, object(R"({"spec":{"n":"x"}})"), {}, FieldValidation::Ignore).has_value());
}

TEST_F(ShapingTest, AWrongTypeIsToldBeforeWhatIsUnknownInIt) {
  const auto refused =
      shape(*maps, object(R"({"data":{"a":{"b":"c"}}})"), {}, FieldValidation::Strict);
  ASSERT_FALSE(refused.has_value());
  EXPECT_TRUE(refused.error().error.message.contains("data.a in body must be of type string"))
      << refused.error().error.message;
}

TEST_F(ShapingTest, DefaultsComeFromTheKind) {
  json::Value foo = object(R"({"spec":{}})");
  put_defaults(*foos, foo);
  EXPECT_EQ(json::print(foo), R"({"spec":{"s":"dflt"}})");
  json::Value secret = object(R"({"metadata":{}})");
  put_defaults(*hub.view().registry->find("", "v1", "secrets"), secret);
  EXPECT_EQ(secret.find("type")->string_or_empty(), "Opaque");
}

TEST_F(ShapingTest, ValuesAreCheckedAgainstTheSchemaAndItsRules) {
  EXPECT_TRUE(check_values(*foos, object(R"({"spec":{"n":5}})"), {}).empty());
  EXPECT_EQ(check_values(*foos, object(R"({"spec":{"n":0}})"), {}).front().field, "spec.n");
  EXPECT_EQ(check_values(*foos, object(R"({"spec":{"n":100}})"), {}).front().field, "spec");
  // What was wrong before may stay.
  const json::Value old = object(R"({"spec":{"n":0}})");
  EXPECT_TRUE(
      check_values(*foos, object(R"({"spec":{"n":0,"color":"red"}})"), {.old = &old}).empty());
}

TEST_F(ShapingTest, OnlyTheStatusIsLookedAtWhenItIsWritten) {
  const json::Value foo = object(R"({"spec":{"n":0},"status":{}})");
  EXPECT_EQ(check_values(*foos, foo, {}).size(), 1u);
  EXPECT_TRUE(check_values(*foos, foo, {.part = ObjectPart::Status}).empty());
}

TEST_F(ShapingTest, ANodeMayHaveTwoAddressesOfOneType) {
  const auto nodes = hub.view().registry->find("", "v1", "nodes");
  EXPECT_TRUE(check_values(*nodes, object(R"({"status":{"addresses":[
      {"type":"InternalIP","address":"10.0.0.1"},{"type":"InternalIP","address":"fd00::1"}]}})"),
                           {})
                  .empty());
}

}  // namespace
}  // namespace berth::apiserver
