// A cluster that runs what is delivered to it: an API server of the kind under test, what a
// kube-controller-manager does, a node, and `berth kubelet`. Containers of Berth's own image are
// processes, with the rights of their service accounts.

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kube/blocking_api.h"
#include "kube/caretaker.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

struct PodCluster {
  std::string name;
  std::unique_ptr<Server> server;
  std::unique_ptr<Caretaker> caretaker;
  std::unique_ptr<BlockingApi> api;
  std::vector<Child> programs;

  // With these of Berth's controllers inside, where the server is Berth's own. The node has the
  // size that the documents show which introduced scores, half of it in use.
  void start(const std::string& its_name, const std::string& controllers = "none");

  void keep(Result<Child> program);  // As long as the cluster.
};

// One kubeconfig file with a context for each, by the names of the clusters behind the prefix.
void write_kubeconfig(std::span<const PodCluster> clusters, const std::string& prefix,
                      const std::filesystem::path& path);

}  // namespace berth::kube
