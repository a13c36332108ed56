// The Helm chart in deploy/chart: it renders what `berth manifests` prints, takes values that its
// schema knows, and Helm installs, changes and removes it on a whole server.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/commands.h"
#include "kube/paths.h"
#include "kube/server.h"
#include "kube/yaml_objects.h"

namespace berth::kube {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Chart : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = Server::start();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    const std::string folder = server_->folder().string();
    checked_helm({"package", source_path("deploy/chart").string(), "--destination", folder});
    // Its version is Berth's own.
    auto version = berth_alone(*server_, {"version"});
    ASSERT_TRUE(version.ok()) << version.error().message;
    chart_ = fmt::format("{}/berth-{}.tgz", folder,
                         version->substr(6, version->find('\n') - 6));  // "berth 1.2.3\n"
  }

  std::string checked_helm(const std::vector<std::string>& arguments) {
    const auto printed = helm(*server_, arguments);
    EXPECT_TRUE(printed.ok()) << printed.error().message;
    return printed.ok() ? *printed : "";
  }

  // What the chart renders with these values and flags.
  Result<std::string> rendered(const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"template", "berth", chart_};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return helm(*server_, arguments);
  }

  std::vector<std::string> rendered_objects(const std::vector<std::string>& flags) {
    const auto printed = rendered(flags);
    EXPECT_TRUE(printed.ok()) << printed.error().message;
    return printed.ok() ? objects_of(*printed) : std::vector<std::string>();
  }

  std::vector<std::string> manifests(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "manifests");
    const auto printed = berth_alone(*server_, arguments);
    EXPECT_TRUE(printed.ok()) << printed.error().message;
    return printed.ok() ? objects_of(*printed) : std::vector<std::string>();
  }

  std::string names(const std::string& kind) {
    return checked_kubectl(
        *server_, {"get", kind, "--all-namespaces", "-o", "jsonpath={.items[*].metadata.name}"});
  }

  std::unique_ptr<Server> server_;
  std::string chart_;
};

TEST_F(Chart, RendersWhatManifestsPrints) {
  EXPECT_EQ(rendered_objects({"--include-crds"}), manifests({"kinds", "controllers", "addon"}));
  const std::vector<std::string> all = {
      "--include-crds", "--set",
      "agent.enabled=true,hub.enabled=true,scheduler.enabled=true,extender.enabled=true"};
  EXPECT_EQ(rendered_objects(all), manifests({"all"}));
  std::vector<std::string> other_image = all;
  other_image.insert(other_image.end(),
                     {"--set", "image.repository=registry.example.com/berth,image.tag=1.2.3"});
  EXPECT_EQ(rendered_objects(other_image),
            manifests({"all", "--image=registry.example.com/berth:1.2.3"}));
}

TEST_F(Chart, TakesWhatTheValuesSayOfOneProgram) {
  const auto one =
      rendered({"--set", "guards.enabled=false,addon.enabled=false", "--set",
                "controllers.replicas=0,controllers.nodeSelector.disk=fast", "--set",
                "controllers.extraArgs={--placements=handed-over}", "--set",
                "controllers.resources.limits.memory=2Gi", "--set", "image.pullPolicy=Always"});
  ASSERT_TRUE(one.ok()) << one.error().message;
  EXPECT_THAT(*one, AllOf(HasSubstr("replicas: 0\n"), HasSubstr("disk: fast\n"),
                          HasSubstr("- controllers\n"), HasSubstr("- --placements=handed-over\n"),
                          HasSubstr("memory: 2Gi\n"), HasSubstr("imagePullPolicy: Always\n")));
}

TEST_F(Chart, RefusesValuesThatMeanNothing) {
  const auto wrong = [&](const std::string& value) {
    const auto printed = rendered({"--set", value});
    EXPECT_FALSE(printed.ok()) << value;
    return printed.ok() ? "" : printed.error().message;
  };
  EXPECT_THAT(wrong("controlers.replicas=1"), HasSubstr("controlers"));
  EXPECT_THAT(wrong("controllers.replica=1"), HasSubstr("replica"));
  EXPECT_THAT(wrong("image.pullPolicy=Sometimes"), HasSubstr("pullPolicy"));
  // Two of them would each believe to be the only one.
  EXPECT_THAT(wrong("hub.enabled=true,hub.replicas=2"), HasSubstr("/hub/replicas"));
}

TEST_F(Chart, IsInstalledChangedAndRemoved) {
  const std::string notes = checked_helm(
      {"install", "berth", chart_, "--namespace", "berth-system", "--create-namespace"});
  EXPECT_THAT(notes, AllOf(HasSubstr("berth get token"), Not(HasSubstr("berth hub kubeconfig"))));
  EXPECT_THAT(names("deployment"), HasSubstr("berth-controllers"));
  EXPECT_THAT(names("clustermanagementaddon"), HasSubstr("resource-usage-collect"));
  EXPECT_THAT(names("validatingadmissionpolicy"), HasSubstr("registration.berth.dev"));

  checked_helm({"upgrade", "berth", chart_, "--namespace", "berth-system", "--set",
                "addon.enabled=false,scheduler.enabled=true,controllers.replicas=1"});
  EXPECT_THAT(names("clustermanagementaddon"), Not(HasSubstr("resource-usage-collect")));
  EXPECT_THAT(names("deployment"),
              AllOf(HasSubstr("berth-controllers"), HasSubstr("berth-scheduler")));
  EXPECT_EQ(checked_kubectl(*server_, {"get", "deployment", "berth-controllers", "-n",
                                       "berth-system", "-o", "jsonpath={.spec.replicas}"}),
            "1");
  // A namespace of the chart's own stays its own.
  checked_helm({"upgrade", "berth", chart_, "--namespace", "berth-system", "--reuse-values"});
  EXPECT_EQ(checked_kubectl(*server_, {"get", "namespace", "berth-scheduler", "-o",
                                       "jsonpath={.status.phase}"}),
            "Active");

  checked_helm({"uninstall", "berth", "--namespace", "berth-system", "--wait=hookOnly"});
  EXPECT_THAT(names("deployment"), Not(HasSubstr("berth-")));
  EXPECT_THAT(names("clusterrole"), Not(HasSubstr("berth:")));
  // What people have made of these kinds must not go with it.
  EXPECT_THAT(names("crd"), HasSubstr("placements.cluster.open-cluster-management.io"));
}

TEST_F(Chart, LeavesNamespacesAloneThatWereThereBefore) {
  checked_kubectl(*server_, {"create", "namespace", "berth-system"});
  checked_helm({"install", "berth", chart_, "--namespace", "default"});
  EXPECT_THAT(names("deployment"), HasSubstr("berth-controllers"));
  checked_helm({"uninstall", "berth", "--namespace", "default", "--wait=hookOnly"});
  EXPECT_EQ(checked_kubectl(*server_,
                            {"get", "namespace", "berth-system", "-o", "jsonpath={.status.phase}"}),
            "Active");
}

}  // namespace
}  // namespace berth::kube
