// Berth's agents and the clusters they are for: nodes and pods without anybody who runs them.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

struct AgentCommand {
  std::string cluster_name;
  std::filesystem::path cluster;  // Kubeconfig files.
  std::filesystem::path hub;
  std::vector<std::string> flags = {};
};

// `berth agent` in a process of its own, without addresses to listen on unless the flags name some.
// Its log is in the folder of the server, by the name of the cluster.
Result<Child> start_agent(const Server& server, const AgentCommand& command);

// `berth kubelet` for all that a bare server lacks: pods are made, bound and run. Containers of the
// image of `make deploy` are processes, with their files and logs in the folder "pods" of the
// server's.
Result<Child> start_kubelet(const Server& server);

struct NodeWish {
  std::string name;
  std::string cpu;
  std::string memory;
};

// A node that is ready, with nothing that keeps pods away. Fails the test when the server refuses.
void make_ready_node(BlockingApi& api, const NodeWish& wish);

struct PodWish {
  std::string name;
  std::string node;
  std::string cpu;
  std::string memory;
};

// A pod in the namespace default that is bound to the node.
void make_bound_pod(BlockingApi& api, const PodWish& wish);
void remove_pod(BlockingApi& api, const std::string& name);  // At once.

}  // namespace berth::kube
