// An agent of ManifestWorks between two servers under test: Berth's, on a loop of this process, or
// Open Cluster Management's own, as a process.

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "kube/server.h"

namespace berth::kube {

struct WorkAgentOptions {
  std::string cluster = "cluster1";
  std::chrono::seconds eviction_grace = std::chrono::hours(1);
};

// Ends when it dies.
class WorkAgentRun {
 public:
  virtual ~WorkAgentRun() = default;
};

// The program of the reference is found through $BERTH_OCM_WORK.
Result<std::unique_ptr<WorkAgentRun>> start_berth_work_agent(Server& hub, Server& managed,
                                                             const WorkAgentOptions& options = {});
Result<std::unique_ptr<WorkAgentRun>> start_ocm_work_agent(Server& hub, Server& managed,
                                                           const WorkAgentOptions& options = {});

}  // namespace berth::kube
