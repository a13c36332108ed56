#include "apiserver/discovery/testing/some_registry.h"

#include "apiserver/kinds/builtin_kinds.h"

namespace berth::apiserver::testing {
namespace {

std::shared_ptr<Resource> foos(std::string version) {
  auto resource = std::make_shared<Resource>();
  resource->gvr = {.group = "zz.io", .version = version, .resource = "foos"};
  resource->kind = "Foo";
  resource->list_kind = "FooList";
  resource->singular = "foo";
  resource->verbs = {"create", "delete", "deletecollection", "get",
                     "list",   "patch",  "update",           "watch"};
  resource->short_names = {"fo"};
  resource->categories = {"all"};
  resource->table = "foos.zz.io";
  resource->storage_version = "zz.io/v1";
  resource->custom =
      std::make_shared<CustomFacts>(CustomFacts{.definition = "foos.zz.io", .definition_uid = "1"});
  return resource;
}

}  // namespace

std::vector<std::shared_ptr<const Resource>> custom_foos() {
  const auto preferred = foos("v1");
  const std::vector<std::string> verbs = {"get", "patch", "update"};
  preferred->subresources = {{.name = "scale",
                              .kind = {.group = "autoscaling", .version = "v1", .kind = "Scale"},
                              .verbs = verbs},
                             {.name = "status",
                              .kind = {.group = "zz.io", .version = "v1", .kind = "Foo"},
                              .verbs = verbs}};
  return {foos("v1beta1"), preferred};
}

Registry some_registry() {
  auto resources = custom_foos();
  for (auto& resource : builtin_resources()) {
    if (resource->kind == "Pod" || resource->kind == "Deployment") resources.push_back(resource);
  }
  return Registry(std::move(resources));
}

}  // namespace berth::apiserver::testing
