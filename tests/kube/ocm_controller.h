// Open Cluster Management's own placement controller, as a process beside the server under test.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

struct OcmOptions {
  bool leader_election = false;  // Then it holds the lease default/placement-lock.
};

class OcmController {
 public:
  // Finds the program through $BERTH_OCM_PLACEMENT. Its CRDs must be on the server. It works when
  // it answers the first change, not when this returns.
  static Result<OcmController> start(Server& server, OcmOptions options = {});

  // What its debug endpoint says about each of the placements ("namespace/name"): which clusters
  // passed which filter, and every score.
  Result<std::vector<json::Value>> debug(const std::vector<std::string>& placements);

  bool running() { return process_.running(); }
  const std::filesystem::path& log() const { return log_; }

 private:
  Child process_;
  std::filesystem::path folder_;  // Of the server: certificates are there.
  std::filesystem::path log_;
  int port_ = 0;
};

}  // namespace berth::kube
