#include "kube/ocm_controller.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace berth::kube {

Result<OcmController> OcmController::start(Server& server) {
  const char* program = std::getenv("BERTH_OCM_PLACEMENT");
  if (!program) {
    return failure(Code::NotFound,
                   "$BERTH_OCM_PLACEMENT is not set: run the tests with make test-kube");
  }
  OcmController controller;
  controller.log_ = server.folder() / "ocm-placement.log";
  ASSIGN_OR_RETURN(controller.process_,
                   Child::start({program, "controller", "--kubeconfig",
                                 server.kubeconfig().string(), "--namespace", "default",
                                 "--disable-leader-election", "--kube-api-qps=1000",
                                 "--kube-api-burst=2000", "--listen",
                                 fmt::format("127.0.0.1:{}", free_port())},
                                controller.log_));
  return controller;
}

}  // namespace berth::kube
