// Every definition in deploy/crds passes the rules of the embedded hub and gives resources.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/custom/custom_resources.h"
#include "apiserver/custom/definition_status.h"
#include "apiserver/custom/definition_validation.h"
#include "apiserver/schema/field_errors.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(BERTH_CRDS)) {
    // A list of the others, for kustomize.
    if (entry.path().filename() != "kustomization.yaml") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(ShippedDefinitions, AreAcceptedAndServed) {
  ASSERT_GE(files().size(), 15U);
  for (const auto& path : files()) {
    SCOPED_TRACE(path.filename());
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto object = json::read_one_yaml(text);
    ASSERT_TRUE(object.ok()) << object.error().message;
    const auto filled = with_definition_defaults(*object);
    const auto causes = validate_definition(filled, nullptr);
    EXPECT_TRUE(causes.empty()) << describe(causes);
    const Definition definition =
        read_definition(with_definition_status(filled, {}, Time::from_unix(0, 0)));
    EXPECT_EQ(path.stem(), definition.names.plural);
    EXPECT_FALSE(custom_resources(definition, nullptr).empty());
  }
}

TEST(ShippedDefinitions, AreAllListedForKustomize) {
  std::ifstream file(std::filesystem::path(BERTH_CRDS) / "kustomization.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto list = json::read_one_yaml(text);
  ASSERT_TRUE(list.ok()) << list.error().message;
  std::vector<std::string> listed;
  for (const json::Value& name : list->find("resources")->elements()) {
    listed.emplace_back(name.string_or_empty());
  }
  std::vector<std::string> there;
  for (const auto& path : files()) there.push_back(path.filename().string());
  EXPECT_EQ(listed, there);
}

}  // namespace
}  // namespace berth::apiserver
