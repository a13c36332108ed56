#include "kube/pairing.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "json/value.h"
#include "kube/agents.h"
#include "kube/crds.h"
#include "kube/ports.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;

// It reads the relative paths in a kubeconfig from its own folder.
Result<Child> start_ocm(const std::string& variable, const Server& server,
                        std::vector<std::string> arguments) {
  const char* program = std::getenv(variable.c_str());
  if (!program) {
    return failure(Code::NotFound,
                   fmt::format("${} is not set: run the tests with make test-kube", variable));
  }
  const std::filesystem::path log =
      server.folder() / fmt::format("{}-{}.log", variable, arguments[0]);
  arguments.insert(arguments.begin(), {"env", "--chdir=" + server.folder().string(), program});
  arguments.push_back(fmt::format("--listen=127.0.0.1:{}", free_port()));
  return Child::start(arguments, log);
}

void keep(std::vector<Child>& children, Result<Child> started) {
  ASSERT_TRUE(started.ok()) << started.error().message;
  children.push_back(*std::move(started));
}

}  // namespace

std::unique_ptr<Pairing> Pairing::start(const Makers& makers) {
  std::unique_ptr<Pairing> pairing(new Pairing);
  const bool is_ours = makers.hub == Maker::Berth;
  pairing->agents_ = makers.agents;
  pairing->fleet_ =
      Joining::start({.controllers = is_ours ? std::vector<std::string>{"--controllers=*"}
                                             : std::vector<std::string>{}});
  if (!pairing->fleet_) return nullptr;
  if (!is_ours) pairing->start_ocm_hub();
  const auto made = pairing->fleet_->cluster().create(
      {.resource = fleet::namespaces()},
      Value::object({{"metadata", Value::object({{"name", fleet::kAgentNamespace}})}}));
  EXPECT_TRUE(made.ok()) << made.error().message;
  auto kubelet = start_kubelet(pairing->fleet_->cluster_server());
  EXPECT_TRUE(kubelet.ok()) << kubelet.error().message;
  if (kubelet.ok()) pairing->kubelet_ = *std::move(kubelet);
  return pairing;
}

// The add-on manager takes its lease, which is how others know of it.
void Pairing::start_ocm_hub() {
  Server& hub = fleet_->hub_server();
  const std::string kubeconfig = "--kubeconfig=" + hub.kubeconfig().string();
  keep(hub_programs_,
       start_ocm("BERTH_OCM_REGISTRATION", hub,
                 {"controller", kubeconfig, "--namespace=default", "--disable-leader-election"}));
  keep(hub_programs_,
       start_ocm("BERTH_OCM_ADDON", hub, {"manager", kubeconfig, "--namespace=default"}));
  auto placement = OcmController::start(hub);
  ASSERT_TRUE(placement.ok()) << placement.error().message;
  placement_ = std::make_unique<OcmController>(*std::move(placement));
}

void Pairing::start_agents(const std::string& cluster) {
  if (agents_ == Maker::Ocm) return start_ocm_agents(cluster);
  const Server& server = fleet_->cluster_server();
  keep(agent_programs_,
       Child::start(
           {berth_program().string(), "agent", "--cluster-name=" + cluster,
            "--kubeconfig=" + server.kubeconfig().string(),
            "--bootstrap-kubeconfig=" + fleet_->bootstrap_kubeconfig().string(),
            "--parts=work,addons", "--health-probe-bind-address=0", "--metrics-bind-address=0"},
           server.folder() / "agent.log"));
}

// The agent of works needs the identity that the one of registration gets when it is approved.
void Pairing::start_ocm_agents(const std::string& cluster) {
  const char* work_program = std::getenv("BERTH_OCM_WORK");
  ASSERT_TRUE(work_program) << "$BERTH_OCM_WORK is not set: run the tests with make test-kube";
  const Server& server = fleet_->cluster_server();
  const std::filesystem::path identity = server.folder() / "hub-kubeconfig";
  const std::string kubeconfig = "--kubeconfig=" + server.kubeconfig().string();
  const std::string name = "--spoke-cluster-name=" + cluster;
  keep(agent_programs_,
       start_ocm("BERTH_OCM_REGISTRATION", server,
                 {"agent", name, kubeconfig,
                  "--bootstrap-kubeconfig=" + fleet_->bootstrap_kubeconfig().string(),
                  "--hub-kubeconfig-dir=" + identity.string(), "--disable-leader-election"}));
  // It waits for its hub's kubeconfig in a loop of ours, because it has none of its own.
  const std::string work = fmt::format(
      "until [ -s '{0}' ]; do sleep 0.2; done; exec '{1}' agent {2} {3} "
      "--workload-source-config='{0}' --namespace=default --disable-leader-election "
      "--status-sync-interval=1s --listen=127.0.0.1:{4}",
      (identity / "kubeconfig").string(), work_program, name, kubeconfig, free_port());
  keep(agent_programs_,
       Child::start({"env", "--chdir=" + server.folder().string(), "sh", "-c", work},
                    server.folder() / "BERTH_OCM_WORK-agent.log"));
}

void Pairing::stop_agents() { agent_programs_.clear(); }

}  // namespace berth::kube
