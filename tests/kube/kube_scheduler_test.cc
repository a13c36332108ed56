// The stock kube-scheduler with Berth's extender: what happens to a pod that is deleted and made
// again.

#include <cstdlib>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/extender_process.h"
#include "kube/rebuilding_cluster.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;

class KubeScheduler : public RebuildingCluster {
 protected:
  KubeScheduler() : RebuildingCluster("default-scheduler") {}

  // As the user that every cluster has for it, with the configuration that we print.
  void start_scheduler() override {
    extender_ = ExtenderProcess::start(*server_);
    const char* program = std::getenv("BERTH_KUBE_SCHEDULER");
    ASSERT_TRUE(program) << "set $BERTH_KUBE_SCHEDULER, as tests/kube/run does";
    const auto kubeconfig = server_->kubeconfig_for(
        {.name = "system:kube-scheduler", .group = "system:kube-scheduler"});
    ASSERT_TRUE(kubeconfig.ok()) << kubeconfig.error().message;
    const auto config = write_file("kube-scheduler.json",
                                   json::print(extender_->kube_scheduler_config(*kubeconfig)));
    keep(Child::start({program, "--config=" + config.string(), "--secure-port=0", "-v=4"},
                      server_->folder() / "kube-scheduler.log"));
  }

  void wait_until_kept(const std::string& node) override {
    const Value pod = json::parse(R"({"metadata":{"name":"other","namespace":"default"},
        "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}})")
                          .value();
    EXPECT_TRUE(wait_until([&] {
      const Value answer = extender_->filter(pod, {node});
      return api::field(answer, "FailedAndUnresolvableNodes").find(node) != nullptr;
    }));
  }

 private:
  std::unique_ptr<ExtenderProcess> extender_;
};

TEST_F(KubeScheduler, WaitsWhileAnAnnotationKeepsTheRoomForAnother) {
  build_master_and_worker();
  start_scheduler();
  ASSERT_NO_FATAL_FAILURE(deploy_to_the_worker());
  tell_of_the_annotation();
}

TEST_F(KubeScheduler, BringsAPodBackInATightClusterWithTheController) {
  tell_of_the_tight_cluster_with_the_controller();
}

TEST_F(KubeScheduler, LeavesAPodPendingInATightClusterWithoutTheController) {
  tell_of_the_tight_cluster_without_the_controller();
}

TEST_F(KubeScheduler, AsksAgainWhenAReservationGoes) { tell_of_the_reservation_that_goes(); }

}  // namespace
}  // namespace berth::kube
