// A hub with an add-on manager, Berth's or OCM's own, and what an administrator and the agents of
// its clusters do: the same for both, so that what they make of it can be compared.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "json/value.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

enum class AddOnManager { Berth, Ocm };

class AddOnHub {
 public:
  // A server with the definitions of all kinds. Fails the test if that cannot be had.
  static std::unique_ptr<AddOnHub> start();

  void run(AddOnManager manager);

  Server& server() { return *server_; }
  BlockingApi& api() { return *api_; }

  void add_cluster(const std::string& name);

  // Objects as YAML or JSON documents; statuses are written too.
  void put(std::string_view documents);

  // What a Placement of that name in the namespace `default` has decided: one list for each group.
  void decide(const std::string& placement, const std::vector<std::vector<std::string>>& groups);

  json::Value find(const api::Gvr& resource, const std::string& ns, const std::string& name);
  std::vector<json::Value> list(const api::Gvr& resource);

  // Writes what a work agent reports when all of a cluster's works of the add-on are in place and
  // its Deployments and DaemonSets run.
  void report_works(const std::string& cluster, const std::string& add_on);

  // "True ProbeAvailable" of the ManagedClusterAddOn, or "none".
  std::string condition(const std::string& cluster, const std::string& add_on,
                        std::string_view type);

  // The message of the first placement's progress.
  std::string progress(const std::string& add_on);

 private:
  AddOnHub() = default;

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
  Child manager_;
};

api::Gvr add_on_resource(std::string_view plural);
api::Gvr work_resource();

}  // namespace berth::kube
