// What OpenAPI says about our kinds, beside what a real server says about the same.

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/openapi/document.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/commands.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using apiserver::Registry;
using apiserver::Resource;
using json::Value;

// Everything but prose. A field may be called "description" too; its value is no text.
Value without_prose(const Value& value) {
  if (value.is_array()) {
    Value result = Value::array();
    for (const Value& element : value.elements()) result.push_back(without_prose(element));
    return result;
  }
  if (!value.is_object()) return value;
  Value result = Value::object();
  for (const auto& member : value.members()) {
    const bool is_prose = member.name() == "description" && member.value.is_string();
    if (!is_prose) result[member.name()] = without_prose(member.value);
  }
  // A reference stands in an allOf only so that there can be prose beside it.
  const Value* all = result.find("allOf");
  const bool is_only_reference = all && all->size() == 1 && result.size() == 1;
  return is_only_reference ? Value(all->elements()[0]) : result;
}

// What only the types of all groups have: DeleteOptions lists every one of them there.
void forget_shared_kinds(Value& schema) {
  const Value* kinds = schema.find("x-kubernetes-group-version-kind");
  if (kinds && kinds->size() > 1) schema.erase("x-kubernetes-group-version-kind");
}

std::set<std::string> parameters_of(const Value& item, const Value& operation) {
  std::set<std::string> names;
  for (const Value* owner : {&item, &operation}) {
    const Value* parameters = owner->find("parameters");
    if (!parameters) continue;
    for (const Value& parameter : parameters->elements()) {
      names.insert(fmt::format("{} in {}: {}", parameter.find("name")->string_or_empty(),
                               parameter.find("in")->string_or_empty(),
                               json::print(*parameter.find("schema"))));
    }
  }
  return names;
}

class OpenApiOfARealServer : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto server = Server::start({});
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = std::move(*server);
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override { ASSERT_NE(server_, nullptr); }

  static Value real_document(const api::GroupVersion& version) {
    const auto text =
        kubectl(*server_, {"get", "--raw", "/openapi/v3/" + apiserver::openapi_path(version)});
    return text.ok() ? json::parse(*text).value() : Value();
  }

  static void compare_operations(const std::string& path, const Value& ours, const Value& real,
                                 const std::vector<std::string_view>& methods) {
    for (const std::string_view method : methods) {
      const Value* expected = real.find(method);
      const Value* found = ours.find(method);
      ASSERT_EQ(found == nullptr, expected == nullptr) << path << " " << method;
      if (!found) continue;
      SCOPED_TRACE(fmt::format("{} {}", method, path));
      for (const char* name : {"operationId", "tags", "x-kubernetes-action",
                               "x-kubernetes-group-version-kind", "requestBody"}) {
        const Value* one = found->find(name);
        const Value* other = expected->find(name);
        ASSERT_EQ(one == nullptr, other == nullptr) << name;
        if (one) EXPECT_EQ(json::print(*one), json::print(*other));
      }
      auto parameters = parameters_of(real, *expected);
      // Berth has no objects that cannot be read.
      parameters.erase(R"(ignoreStoreReadErrorWithClusterBreakingPotential in query: )"
                       R"({"type":"boolean","uniqueItems":true})");
      EXPECT_EQ(parameters_of(ours, *found), parameters);
    }
  }

  static void compare_schemas(const Value& ours, const Value& real) {
    for (const auto& member : ours.find_path({"components", "schemas"})->members()) {
      const Value* expected = real.find_path({"components", "schemas", member.name()});
      ASSERT_NE(expected, nullptr) << member.name();
      Value schema = without_prose(*expected);
      forget_shared_kinds(schema);
      const Value found = without_prose(member.value);
      EXPECT_TRUE(found == schema) << member.name() << "\n"
                                   << json::print(found) << "\n"
                                   << json::print(schema);
    }
  }

  static std::unique_ptr<Server> server_;
};

std::unique_ptr<Server> OpenApiOfARealServer::server_ = nullptr;

TEST_F(OpenApiOfARealServer, SaysTheSameOfBuiltinKinds) {
  const Registry registry(apiserver::builtin_resources());
  const apiserver::OpenApi openapi;
  for (const auto& group : registry.groups()) {
    const api::GroupVersion version = {.group = group.name, .version = "v1"};
    const auto text = openapi.document(registry, version, [](const Resource&) { return nullptr; });
    const Value ours = json::parse(text.value()).value();
    const Value real = real_document(version);
    for (const auto& member : ours.find("paths")->members()) {
      const std::string path(member.name());
      const Value* expected = real.find_path({"paths", path});
      ASSERT_NE(expected, nullptr) << path;
      compare_operations(path, member.value, *expected, {"get", "post", "put", "patch", "delete"});
    }
    compare_schemas(ours, real);
  }
}

// With everything that a schema may have of its own.
constexpr std::string_view kDefinition = R"({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "foos.zz.io"},
  "spec": {"group": "zz.io", "scope": "Namespaced",
    "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
    "versions": [{"name": "v1", "served": true, "storage": true,
      "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                                               "statusReplicasPath": ".status.replicas"}},
      "schema": {"openAPIV3Schema": {"type": "object", "description": "A foo.",
        "required": ["spec"], "properties": {
          "spec": {"type": "object", "description": "What is wanted.",
            "x-kubernetes-validations": [{"rule": "self.replicas < 100", "message": "too many"}],
            "properties": {
              "replicas": {"type": "integer", "format": "int32", "minimum": 1},
              "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                       "properties": {"a": {"type": "string"}}},
              "inner": {"type": "object", "x-kubernetes-embedded-resource": true,
                        "x-kubernetes-preserve-unknown-fields": true},
              "port": {"x-kubernetes-int-or-string": true},
              "text": {"type": "string", "nullable": true, "default": "x",
                       "enum": ["x", "y"], "maxLength": 5},
              "list": {"type": "array", "x-kubernetes-list-type": "map",
                       "x-kubernetes-list-map-keys": ["k"],
                       "items": {"type": "object", "required": ["k"],
                                 "properties": {"k": {"type": "string"}}}},
              "map": {"type": "object", "additionalProperties": {"type": "integer"}}}},
          "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}}}]}})";

std::shared_ptr<Resource> foos() {
  auto resource = std::make_shared<Resource>();
  resource->gvr = {.group = "zz.io", .version = "v1", .resource = "foos"};
  resource->kind = "Foo";
  resource->list_kind = "FooList";
  resource->singular = "foo";
  resource->verbs = {"create", "delete", "deletecollection", "get",
                     "list",   "patch",  "update",           "watch"};
  const std::vector<std::string> verbs = {"get", "patch", "update"};
  resource->subresources = {{.name = "scale",
                             .kind = {.group = "autoscaling", .version = "v1", .kind = "Scale"},
                             .verbs = verbs},
                            {.name = "status",
                             .kind = {.group = "zz.io", .version = "v1", .kind = "Foo"},
                             .verbs = verbs}};
  resource->custom = std::make_shared<apiserver::CustomFacts>(
      apiserver::CustomFacts{.definition = "foos.zz.io", .definition_uid = "1"});
  return resource;
}

TEST_F(OpenApiOfARealServer, SaysTheSameOfCustomKinds) {
  const auto created = kubectl(*server_, {"create", "-f", "-"}, std::string(kDefinition));
  ASSERT_TRUE(created.ok()) << created.error().message;
  const api::GroupVersion version = {.group = "zz.io", .version = "v1"};
  Value real;
  ASSERT_TRUE(wait_until([&] {
    real = real_document(version);
    return real.find_path({"components", "schemas", "io.zz.v1.Foo"}) != nullptr;
  }));
  const Value definition = json::parse(kDefinition).value();
  const Value raw = *definition.find_path({"spec", "versions"})
                         ->elements()[0]
                         .find_path({"schema", "openAPIV3Schema"});
  const auto text = apiserver::OpenApi().document(Registry({foos()}), version,
                                                  [&](const Resource&) { return &raw; });
  const Value ours = json::parse(text.value()).value();
  for (const auto& member : real.find("paths")->members()) {
    const std::string path(member.name());
    const Value* found = ours.find_path({"paths", path});
    ASSERT_NE(found, nullptr) << path;
    compare_operations(path, *found, member.value, {"post", "put", "patch"});
  }
  compare_schemas(ours, real);
}

}  // namespace
}  // namespace berth::kube
