// Several processes of `berth agent` for one cluster: one of them applies works, and another one
// goes on when it is gone.

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "kube/accounts.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/crds.h"
#include "kube/ports.h"
#include "kube/server.h"
#include "kube/waiting.h"
#include "kube/work_script.h"

namespace berth::kube {
namespace {

using api::field;
using api::text_field;

std::string config_map_work(const std::string& name) {
  return fmt::format(
      "{{workload: {{manifests: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {}, "
      "namespace: app}}, data: {{a: b}}}}]}}}}",
      name);
}

class SeveralAgents : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::unique_ptr<Server>* server : {&hub_, &managed_}) {
      auto started = start_with_berth_crds();
      ASSERT_TRUE(started.ok()) << started.error().message;
      *server = *std::move(started);
    }
    hub_api_ = std::make_unique<BlockingApi>(hub_->kubeconfig());
    cluster_api_ = std::make_unique<BlockingApi>(managed_->kubeconfig());
    script_ = std::make_unique<WorkScript>(*hub_api_, *cluster_api_, "cluster1");
    script_->set_up();
  }

  // As it would run in the cluster, with the rights of deploy/agent there.
  Child start(const std::string& log, const std::filesystem::path& account) {
    auto agent = Child::start(
        {berth_program().string(), "agent", "--kubeconfig", account.string(), "--hub-kubeconfig",
         hub_->kubeconfig().string(), "--cluster-name", "cluster1", "--parts", "work",
         fmt::format("--health-probe-bind-address=127.0.0.1:{}", health_), "--metrics-bind-address",
         "0"},
        managed_->folder() / log);
    EXPECT_TRUE(agent.ok()) << agent.error().message;
    return agent.ok() ? *std::move(agent) : Child();
  }

  std::filesystem::path agent_kubeconfig() {
    const auto path = install_account(*managed_, agent_account());
    EXPECT_TRUE(path.ok()) << path.error().message;
    return path.ok() ? *path : std::filesystem::path();
  }

  // "": nobody.
  std::string holder() {
    const auto leases = cluster_api_->list_all(
        {.resource = fleet::leases(), .ns = std::string(fleet::kAgentNamespace)});
    if (!leases.ok() || leases->items.size() != 1) return "";
    return text_field(field(leases->items.front(), "spec"), "holderIdentity");
  }

  bool is_ready() {
    return run({"curl", "-fsS", fmt::format("http://127.0.0.1:{}/readyz", health_)}).ok();
  }

  int health_ = free_port();
  std::unique_ptr<Server> hub_;
  std::unique_ptr<Server> managed_;
  std::unique_ptr<BlockingApi> hub_api_;
  std::unique_ptr<BlockingApi> cluster_api_;
  std::unique_ptr<WorkScript> script_;
};

TEST_F(SeveralAgents, OneActsAndAnotherGoesOnWhenItIsGone) {
  const std::filesystem::path account = agent_kubeconfig();
  Child first = start("first.log", account);
  script_->put_work("one", config_map_work("one"));
  ASSERT_TRUE(script_->becomes("one", "Available", "True"));
  const std::string leader = holder();
  EXPECT_FALSE(leader.empty());

  health_ = free_port();
  Child second = start("second.log", account);
  ASSERT_TRUE(wait_until([&] { return is_ready(); }));
  script_->put_work("two", config_map_work("two"));
  ASSERT_TRUE(script_->becomes("two", "Available", "True"));
  EXPECT_EQ(holder(), leader) << "the second one stands by";

  first.kill();
  script_->put_work("three", config_map_work("three"));
  ASSERT_TRUE(script_->becomes("three", "Available", "True"));
  EXPECT_NE(holder(), leader);
  EXPECT_TRUE(script_->becomes("one", "Available", "True"));
  script_->delete_work("one");
  EXPECT_TRUE(script_->is_gone("one"));

  second.stop();
  EXPECT_EQ(holder(), "") << "whoever stops gives the lease back";
}

TEST_F(SeveralAgents, TheNamespaceOfTheLeaseIsMadeIfItIsNotThere) {
  Child agent = start("agent.log", managed_->kubeconfig());
  script_->put_work("one", config_map_work("one"));
  ASSERT_TRUE(script_->becomes("one", "Available", "True"));
  EXPECT_FALSE(holder().empty());
}

}  // namespace
}  // namespace berth::kube
