// Patches with preconditions: what a real server says to one that was made for another state.

#include <gtest/gtest.h>

#include "client/errors.h"
#include "client/patch_builder.h"
#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using client::Precondition;
using client::ResourcePath;
using json::Value;

const ResourcePath kMaps{.resource = {.version = "v1", .resource = "configmaps"}, .ns = "default"};

TEST(Patches, OneMadeForAnotherStateOrObjectIsRefusedAndKnownAsStale) {
  auto started = Server::start();
  ASSERT_TRUE(started.ok()) << started.error().message;
  BlockingApi api((*started)->kubeconfig());
  ResourcePath path = kMaps;
  path.name = "patched";
  const Value object = Value::object({{"apiVersion", "v1"},
                                      {"kind", "ConfigMap"},
                                      {"metadata", Value::object({{"name", "patched"}})}});
  const Value first = api.create(kMaps, object).value();
  Value wanted = first;
  wanted["data"]["key"] = "value";
  const auto strict = client::merge_patch_for(first, wanted, Precondition::UidAndVersion);
  const auto loose = client::merge_patch_for(first, wanted, Precondition::Uid);

  EXPECT_TRUE(api.patch(path, **strict, {}).ok());
  EXPECT_TRUE(client::is_stale_write(api.patch(path, **strict, {}).error()));
  EXPECT_TRUE(api.patch(path, **loose, {}).ok());
  ASSERT_TRUE(api.remove(path).ok());
  ASSERT_TRUE(api.create(kMaps, object).ok());
  EXPECT_TRUE(client::is_stale_write(api.patch(path, **loose, {}).error())) << "another object";
}

}  // namespace
}  // namespace berth::kube
