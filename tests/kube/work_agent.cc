#include "kube/work_agent.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "client/config_service.h"
#include "fleet/work/work_agent_controller.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/ports.h"

namespace berth::kube {
namespace {

class BerthAgent final : public WorkAgentRun {
 public:
  BerthAgent(Server& hub, Server& managed, const WorkAgentOptions& options)
      : cluster_(managed.kubeconfig(), {.rate = {.per_second = 0}}) {
    const auto config = client::load_config({.kubeconfig = {.flag = hub.kubeconfig().string()}},
                                            cluster_.env().disk, cluster_.env().log);
    CHECK(config.ok());
    cluster_.on_loop([&] {
      hub_ = std::make_unique<client::Api>(cluster_.env(), *config,
                                           client::ApiOptions{.rate = {.per_second = 0}});
      agent_ = std::make_unique<fleet::WorkAgent>(
          cluster_.env(), *hub_, cluster_.api(),
          fleet::WorkAgentSettings{.cluster_name = options.cluster,
                                   .eviction_grace = options.eviction_grace});
      agent_->start();
    });
  }
  ~BerthAgent() override {
    cluster_.on_loop([this] {
      agent_.reset();
      hub_.reset();
    });
  }

 private:
  BlockingApi cluster_;
  std::unique_ptr<client::Api> hub_;
  std::unique_ptr<fleet::WorkAgent> agent_;
};

class OcmAgent final : public WorkAgentRun {
 public:
  explicit OcmAgent(Child process) : process_(std::move(process)) {}

 private:
  Child process_;
};

}  // namespace

Result<std::unique_ptr<WorkAgentRun>> start_berth_work_agent(Server& hub, Server& managed,
                                                             const WorkAgentOptions& options) {
  return std::unique_ptr<WorkAgentRun>(std::make_unique<BerthAgent>(hub, managed, options));
}

Result<std::unique_ptr<WorkAgentRun>> start_ocm_work_agent(Server& hub, Server& managed,
                                                           const WorkAgentOptions& options) {
  const char* program = std::getenv("BERTH_OCM_WORK");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_OCM_WORK is not set: run the tests with make test-kube");
  }
  // It reads the relative paths in a kubeconfig from its own folder.
  ASSIGN_OR_RETURN(Child process,
                   Child::start({"env", "--chdir=" + managed.folder().string(), program, "agent",
                                 "--kubeconfig=" + managed.kubeconfig().string(),
                                 "--workload-source-config=" + hub.kubeconfig().string(),
                                 "--spoke-cluster-name=" + options.cluster, "--namespace=default",
                                 "--disable-leader-election", "--status-sync-interval=1s",
                                 fmt::format("--appliedmanifestwork-eviction-grace-period={}s",
                                             options.eviction_grace.count()),
                                 fmt::format("--listen=127.0.0.1:{}", free_port())},
                                managed.folder() / "ocm-work.log"));
  return std::unique_ptr<WorkAgentRun>(std::make_unique<OcmAgent>(std::move(process)));
}

}  // namespace berth::kube
