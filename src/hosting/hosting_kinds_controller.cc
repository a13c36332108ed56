// Tested by hosting_controller_test.cc.
#include "hosting/hosting_kinds_controller.h"

#include <memory>
#include <utility>

#include "base/check.h"
#include "hosting/names.h"

namespace berth::hosting {

client::Gvr resource_of(HostingResource kind) {
  constexpr const char* kCluster = "cluster.open-cluster-management.io";
  constexpr const char* kAddOn = "addon.open-cluster-management.io";
  switch (kind) {
    case HostingResource::Requests:
      return {std::string(kGroup), "v1alpha1", "hostedclusterrequests"};
    case HostingResource::Ledgers:
      return {std::string(kGroup), "v1alpha1", "hostingledgers"};
    case HostingResource::Clusters:
      return {kCluster, "v1", "managedclusters"};
    case HostingResource::Scores:
      return {kCluster, "v1alpha1", "addonplacementscores"};
    case HostingResource::AddOns:
      return {kAddOn, "v1alpha1", "managedclusteraddons"};
    case HostingResource::Configs:
      return {kAddOn, "v1alpha1", "addondeploymentconfigs"};
    case HostingResource::Decisions:
      return {kCluster, "v1beta1", "placementdecisions"};
    case HostingResource::Works:
      return {"work.open-cluster-management.io", "v1", "manifestworks"};
  }
  CHECK(false);
}

std::vector<std::pair<HostingResource, client::Gvr>> hosting_resources() {
  std::vector<std::pair<HostingResource, client::Gvr>> resources;
  for (const HostingResource kind : kHostingResources) {
    resources.emplace_back(kind, resource_of(kind));
  }
  return resources;
}

void when_shown(const env::Env& env, client::InformerService& informer, const std::string& version,
                env::Task task) {
  constexpr Duration kPatience = std::chrono::seconds(30);
  struct Once {
    env::Task task;
    env::Timer timer = {};
  };
  const auto once = std::make_shared<Once>(Once{.task = std::move(task)});
  const auto run = [once] {
    if (!once->task) return;
    env::Task due = std::exchange(once->task, nullptr);
    once->timer.cancel();
    due();
  };
  once->timer = env::after(env.loop, env.clock, kPatience, run);
  informer.when_reached(version, run);
}

}  // namespace berth::hosting
