// berth extender in a process of its own, over TLS, which answers only whoever proves that he is
// kube-scheduler; and what kube-scheduler asks it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "json/value.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/ports.h"
#include "kube/server.h"

namespace berth::kube {

class ExtenderProcess {
 public:
  // With the rights that it has where it runs in a cluster. It answers when this returns; fails the
  // test if it does not.
  static std::unique_ptr<ExtenderProcess> start(const Server& server);

  // What `berth manifests extender` prints for kube-scheduler, with this process's address, these
  // files and this kubeconfig.
  json::Value kube_scheduler_config(const std::filesystem::path& kubeconfig) const;

  Result<json::Value> ask(const std::string& verb, const json::Value& question);
  json::Value filter(const json::Value& pod, const std::vector<std::string>& nodes);

 private:
  explicit ExtenderProcess(const Server& server) : server_(server), port_(free_port()) {}
  void issue_certificates();
  void run();
  void prepare_asking();
  std::string file(const std::string& name) const;

  const Server& server_;
  int port_;
  Child child_;
  std::unique_ptr<BlockingApi> asker_;
};

}  // namespace berth::kube
