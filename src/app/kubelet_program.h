// What `berth kubelet` runs on its loop: the nodes of one cluster that has none, and, where asked
// for, who makes its pods and binds them.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "app/operations_flags.h"
#include "client/api_service.h"
#include "control/operations_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "local/cluster_use.h"
#include "local/process_runtime_service.h"

namespace berth::app {

struct KubeletSettings {
  client::ClientConfig cluster;
  local::ProcessRuntimeOptions processes = {};
  std::set<std::string> nodes = {};  // Whose pods to run; none: of all nodes.
  bool makes_pods = false;           // Of workloads.
  bool binds_pods = false;
  OperationsAddresses operations = {};
  const client::Api* carrier = nullptr;  // Of requests to the cluster, if there is one already.
};

class KubeletProgram {
 public:
  // Ended because of that; ok after stop().
  using Ended = std::function<void(const Status&)>;

  // `ended` runs once, later, on the loop.
  KubeletProgram(const env::Env& env, KubeletSettings settings, Ended ended);

  void start();

  // Not ready any more; ends the pods' processes and what is open; then `ended`.
  void stop();

  // What its pods ask for, where it binds them; else nothing.
  local::ClusterUse use() const;

 private:
  struct Work;

  Status readiness() const;
  void end(const Status& status);

  env::Env env_;
  KubeletSettings settings_;
  Ended ended_;
  client::Api api_;
  control::Operations operations_;
  std::shared_ptr<Work> work_;
  bool stopping_ = false;
  env::Scope scope_;
};

}  // namespace berth::app
