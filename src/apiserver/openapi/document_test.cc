#include "apiserver/openapi/document.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/testing/some_registry.h"
#include "apiserver/kinds/builtin_kinds.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

const Value* no_schema(const Resource& /*resource*/) { return nullptr; }

// Every reference of the part that the document does not resolve.
void find_dangling(const Value& part, const Value& schemas, std::vector<std::string>& dangling) {
  for (const Value& element : part.elements()) find_dangling(element, schemas, dangling);
  for (const auto& [key, value] : part.members()) {
    if (key.string_or_empty() == "$ref" && value.is_string()) {
      const std::string name(
          value.string_or_empty().substr(value.string_or_empty().rfind('/') + 1));
      if (!schemas.find(name)) dangling.push_back(name);
    }
    find_dangling(value, schemas, dangling);
  }
}

TEST(OpenApiDocument, ResolvesAllItsReferences) {
  const Registry registry(builtin_resources());
  const OpenApi openapi;
  for (const ServedGroup& group : registry.groups()) {
    const auto text = openapi.document(registry, {.group = group.name, .version = "v1"}, no_schema);
    ASSERT_TRUE(text.has_value()) << group.name;
    const Value document = json::parse(*text).value();
    std::vector<std::string> dangling;
    find_dangling(document, *document.find_path({"components", "schemas"}), dangling);
    EXPECT_EQ(dangling, std::vector<std::string>()) << group.name;
  }
}

TEST(OpenApiDocument, HoldsTheSchemasOfCustomKinds) {
  const Value raw = json::parse(R"({"type": "object", "description": "A foo."})").value();
  const auto text =
      OpenApi().document(testing::some_registry(), {.group = "zz.io", .version = "v1"},
                         [&](const Resource&) { return &raw; });
  const Value document = json::parse(text.value()).value();
  const Value& schemas = *document.find_path({"components", "schemas"});
  EXPECT_EQ(schemas.find_path({"io.zz.v1.Foo", "description"})->string_or_empty(), "A foo.");
  EXPECT_NE(schemas.find("io.zz.v1.FooList"), nullptr);
  EXPECT_NE(schemas.find("io.k8s.api.autoscaling.v1.Scale"), nullptr);
  EXPECT_EQ(schemas.find("io.k8s.api.core.v1.Pod"), nullptr);
}

TEST(OpenApiDocument, ThereIsNoneOfWhatIsNotServed) {
  EXPECT_EQ(
      OpenApi().document(testing::some_registry(), {.group = "yy.io", .version = "v1"}, no_schema),
      std::nullopt);
}

TEST(OpenApiIndex, NamesDocumentsWithTheirHashes) {
  const OpenApiEntry entries[] = {{.version = {.group = "apps", .version = "v1"}, .hash = "B2"},
                                  {.version = {.version = "v1"}, .hash = "A1"}};
  EXPECT_EQ(openapi_index(entries),
            R"({"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=A1"},)"
            R"("apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=B2"}}})");
}

}  // namespace
}  // namespace berth::apiserver
