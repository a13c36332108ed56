#include "kube/objects.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/registry.h"
#include "base/strings.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/paths.h"

namespace berth::kube {
namespace {

using json::Value;

std::string plural_of(std::string_view kind) {
  std::string name = lower_ascii(kind);
  if (name == "endpoints") return name;
  if (name.ends_with("s")) return name + "es";
  if (name.ends_with("y")) return name.substr(0, name.size() - 1) + "ies";
  return name + "s";
}

void expect_taken(const Result<Value>& answer, const Value& object) {
  EXPECT_TRUE(answer.ok()) << answer.error().message << "\n" << json::print(object);
}

}  // namespace

std::vector<Value> read_objects(std::string_view name) {
  const auto path = source_path("tests/kube/objects") / (std::string(name) + ".yaml");
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return json::read_yaml(text).value();
}

std::vector<Value> read_served_objects(std::string_view name, ServerKind server) {
  std::vector<Value> objects = read_objects(name);
  if (server == ServerKind::KubeApiserver) return objects;
  const apiserver::Registry registry(apiserver::builtin_resources());
  std::erase_if(objects, [&registry](const Value& object) {
    const client::Gvr gvr = collection_of(object).resource;
    return registry.find(gvr.group, gvr.version, gvr.resource) == nullptr;
  });
  return objects;
}

client::ResourcePath collection_of(const Value& object) {
  const std::string api_version = api::text_field(object, "apiVersion");
  const std::size_t slash = api_version.find('/');
  const bool is_core = slash == std::string::npos;
  return {.resource = {.group = is_core ? "" : api_version.substr(0, slash),
                       .version = is_core ? api_version : api_version.substr(slash + 1),
                       .resource = plural_of(api::text_field(object, "kind"))},
          .ns = api::text_field(api::field(object, "metadata"), "namespace")};
}

void create_whole(BlockingApi& api, const Value& object) {
  Value plain = object;
  plain.erase("status");
  plain.erase("approval");
  client::ResourcePath path = collection_of(object);
  expect_taken(api.create(path, plain), object);

  path.name = api::text_field(api::field(object, "metadata"), "name");
  if (const Value* conditions = object.find("approval")) {
    path.subresource = "approval";
    Value approved = api.get({.resource = path.resource, .name = path.name}).value();
    approved["status"]["conditions"] = *conditions;
    expect_taken(api.update(path, approved), object);
  }
  if (const Value* status = object.find("status")) {
    path.subresource = "status";
    expect_taken(api.patch(path, Value::object({{"status", *status}}), {}), object);
  }
  path.subresource.clear();
  if (path.name.starts_with("deleting")) expect_taken(api.remove(path), object);
}

bool wait_until_served(BlockingApi& api, const client::Gvr& resource) {
  constexpr int kTriesMax = 10'000;
  for (int i = 0; i < kTriesMax; ++i) {
    if (api.list({.resource = resource}).ok()) return true;
  }
  return false;
}

}  // namespace berth::kube
