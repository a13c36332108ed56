// `berth manifests` on whole servers: all of it is accepted, and it is the same as what kustomize
// makes of deploy/. That the rights in it are enough, every test shows that starts controllers
// (accounts.h).

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/paths.h"
#include "kube/server.h"
#include "kube/waiting.h"
#include "kube/yaml_objects.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kParts[] = {"controllers", "addon", "agent", "extender", "hub", "scheduler"};

class Manifests : public ::testing::Test {
 protected:
  void SetUp() override {
    // Where that is on, decisions need a right of their own to hold their Placement.
    const bool is_kube = server_kind() == ServerKind::KubeApiserver;
    std::vector<std::string> flags;
    if (is_kube) flags = {"--enable-admission-plugins=OwnerReferencesPermissionEnforcement"};
    auto server = Server::start({.flags = flags});
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
  }

  std::string manifests(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "manifests");
    const auto printed = berth_alone(*server_, arguments);
    EXPECT_TRUE(printed.ok()) << printed.error().message;
    return printed.ok() ? *printed : "";
  }

  std::unique_ptr<Server> server_;
  Child controllers_;
};

TEST_F(Manifests, AreTakenByTheServerAndTakenAwayAgain) {
  // One after the other: add-ons are of kinds that are served a moment after they are defined.
  apply_yaml(*server_, manifests({"kinds"}));
  checked_kubectl(*server_, {"wait", "--for=condition=Established", "crd", "--all"});
  for (const char* part : kParts) {
    SCOPED_TRACE(part);
    const std::string yaml = manifests({part});
    apply_yaml(*server_, yaml);
    // What the server sees fit to warn of would confuse whoever applies it.
    EXPECT_THAT(checked_kubectl(*server_, {"apply", "--server-side", "-f", "-"}, yaml),
                Not(HasSubstr("Warning")));
  }
  // What goes with its namespace may be gone before it is asked for.
  for (const char* part : kParts) {
    SCOPED_TRACE(part);
    checked_kubectl(*server_, {"delete", "--wait=false", "--ignore-not-found", "-f", "-"},
                    manifests({part}));
  }
}

TEST_F(Manifests, AreWhatKustomizeMakesOfTheSameFiles) {
  for (const char* part : kParts) {
    SCOPED_TRACE(part);
    const std::string folder = source_path("deploy").string() + "/" + part;
    const std::string built = checked_kubectl(*server_, {"kustomize", folder});
    EXPECT_EQ(objects_of(built), objects_of(manifests({part})));
  }
  const std::string kinds = checked_kubectl(*server_, {"kustomize", source_path("deploy/crds")}) +
                            "\n---\n" +
                            checked_kubectl(*server_, {"kustomize", source_path("deploy/guards")});
  EXPECT_EQ(objects_of(kinds), objects_of(manifests({"kinds"})));
}

TEST_F(Manifests, RunTheImageThatTheyAreTold) {
  const std::string told = manifests({"all", "--image=registry.example.com/berth:1.2.3"});
  EXPECT_THAT(told, HasSubstr("image: registry.example.com/berth:1.2.3\n"));
  EXPECT_THAT(told, HasSubstr("value: registry.example.com/berth:1.2.3\n"));
  EXPECT_THAT(told, Not(HasSubstr("berth.dev/berth")));
  EXPECT_THAT(manifests({"all"}), Not(HasSubstr("berth.dev/berth")));
  const auto wrong = berth_alone(*server_, {"manifests", "controler"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message,
              HasSubstr("there are kinds, addon, agent, controllers, extender, "
                        "hub, scheduler"));
}

TEST_F(Manifests, LetDecisionsHoldTheirPlacement) {
  ASSERT_TRUE(apply_berth_crds(*server_).ok());
  ASSERT_TRUE(apply_berth_guards(*server_).ok());
  auto controllers = start_controllers(*server_, {"--controllers=clustersets,placement"});
  ASSERT_TRUE(controllers.ok()) << controllers.error().message;
  controllers_ = *std::move(controllers);
  make_cluster(*server_, "cluster1");
  apply_yaml(*server_, R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: default}
spec: {clusterSet: default}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: p, namespace: default}
spec: {}
)");
  const std::vector<std::string> decided = {"get", "placementdecision", "p-decision-1", "-o",
                                            "jsonpath={.status.decisions[*].clusterName}"};
  EXPECT_EQ(kubectl_until(*server_, decided, "cluster1"), "cluster1");
}

}  // namespace
}  // namespace berth::kube
