#include "apiserver/custom/version_validation.h"

#include <string>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

DefinitionVersion with_fields(int count) {
  json::Value properties = json::Value::object();
  DefinitionVersion version{.name = "v1"};
  for (int i = 0; i < count; ++i) {
    const std::string name = "f" + std::to_string(i);
    properties[name] = json::Value::object({{"type", "string"}});
    version.selectable.push_back("." + name);
  }
  version.schema = json::Value::object({{"type", "object"}, {"properties", properties}});
  return version;
}

TEST(ValidateVersion, LimitsSelectableFieldsUnlessThereWereAsManyBefore) {
  EXPECT_TRUE(validate_selectable(with_fields(8), nullptr, "f").empty());
  const auto causes = validate_selectable(with_fields(9), nullptr, "f");
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].message, "Too many: 9: must have at most 8 items");
  json::Value old = json::Value::object();
  for (int i = 0; i < 9; ++i) old["selectableFields"].push_back(json::Value::object());
  EXPECT_TRUE(validate_selectable(with_fields(9), &old, "f").empty());
}

TEST(ValidateVersion, RefusesTheSameSelectableFieldTwice) {
  DefinitionVersion version = with_fields(1);
  version.selectable.push_back(".f0");
  const auto causes = validate_selectable(version, nullptr, "f");
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].field + " " + causes[0].message, "f[1].jsonPath Duplicate value: \".f0\"");
}

TEST(ValidateVersion, FindsVersionsByName) {
  const auto object =
      json::parse(R"({"spec": {"versions": [{"name": "v1"}, {"name": "v2"}]}})").value();
  EXPECT_EQ(find_version(object, "v2")->find("name")->string_or_empty(), "v2");
  EXPECT_EQ(find_version(object, "v3"), nullptr);
}

}  // namespace
}  // namespace berth::apiserver
