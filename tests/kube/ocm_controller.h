// Open Cluster Management's own placement controller, as a process beside the server under test.

#pragma once

#include <filesystem>

#include "base/result.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

class OcmController {
 public:
  // Finds the program through $BERTH_OCM_PLACEMENT. Its CRDs must be on the server. It works when
  // it answers the first change, not when this returns.
  static Result<OcmController> start(Server& server);

  bool running() { return process_.running(); }
  const std::filesystem::path& log() const { return log_; }

 private:
  Child process_;
  std::filesystem::path log_;
};

}  // namespace berth::kube
