// A hub with Berth's registration, a cluster to join it, and what an administrator does about it.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "json/value.h"
#include "kube/blocking_api.h"
#include "kube/caretaker.h"
#include "kube/child.h"
#include "kube/registered_agent.h"
#include "kube/server.h"

namespace berth::kube {

class Joining {
 public:
  struct Options {
    std::vector<std::string> controllers = {"--controllers=registration,clustersets"};
  };

  // Two servers, the definitions on both, Berth's controllers on the hub; on the cluster a node
  // with 4 processors that takes pods. Fails the test if that cannot be had.
  static std::unique_ptr<Joining> start(const Options& options);
  static std::unique_ptr<Joining> start() { return start(Options()); }

  Server& hub_server() { return *hub_server_; }
  Server& cluster_server() { return *cluster_server_; }
  BlockingApi& hub() { return *hub_; }
  BlockingApi& cluster() { return *cluster_; }

  // A kubeconfig of somebody who may ask to join, with a token.
  std::filesystem::path bootstrap_kubeconfig();

  // An agent for that cluster, with a Secret of its own.
  std::unique_ptr<RegisteredAgent> agent(const std::string& name,
                                         fleet::RegistrationSettings settings = {});

  json::Value managed_cluster(const std::string& name);  // Null: none.

  // "True ManagedClusterAvailable", or "none".
  std::string condition(const std::string& cluster, std::string_view type);
  bool eventually(const std::string& cluster, std::string_view type, const std::string& expected);

  std::vector<json::Value> requests_of(const std::string& cluster);

  // As clusteradm does it: approves all open requests of the cluster, sets hubAcceptsClient.
  void approve_requests(const std::string& cluster);
  void set_accepted(const std::string& cluster, bool accepted);
  void accept(const std::string& cluster);

  // A ManagedCluster that is accepted and furnished, whose agent may never come.
  void make_accepted(const std::string& cluster);

  // A certificate as the hub issues it to that agent, made at that time and good for so long.
  pki::Identity issue(const fleet::AgentName& name, Time when, Duration life);

  // The same in the Secret where the agent of agent() looks.
  void store_identity(const fleet::AgentName& name, const pki::Identity& identity);
  json::Value stored_identity(const std::string& cluster);

  // A kubeconfig of the agent for the hub.
  std::filesystem::path agent_kubeconfig(const fleet::AgentName& name);

  Child& controllers() { return controllers_; }

 private:
  Joining() = default;
  std::string hub_authority() const;

  std::unique_ptr<Server> hub_server_;
  std::unique_ptr<Server> cluster_server_;
  std::unique_ptr<BlockingApi> hub_;
  std::unique_ptr<BlockingApi> cluster_;
  std::unique_ptr<Caretaker> hub_caretaker_;
  std::unique_ptr<Caretaker> cluster_caretaker_;
  Child controllers_;
};

}  // namespace berth::kube
