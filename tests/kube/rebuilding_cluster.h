// A cluster in which pods are deleted and made again, and the stories of what happens to them, told
// with any scheduler. Pods are made by the real kube-controller-manager, where there is one. The
// test is the kubelet: it says when a pod has really ended.

#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "json/value.h"
#include "kube/blocking_api.h"
#include "kube/caretaker.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

class RebuildingCluster : public ::testing::Test {
 protected:
  explicit RebuildingCluster(std::string scheduler_name)
      : scheduler_name_(std::move(scheduler_name)) {}

  void SetUp() override;

  // --- Who takes part ----------------------------------------------------------------------------

  virtual void start_scheduler() = 0;
  void start_controller();  // Of reservations.

  // A program of Berth's as the administrator, without addresses to listen on.
  void start(const std::vector<std::string>& arguments) { keep(begin(arguments)); }
  void keep(Result<Child> program);  // As long as the cluster.
  std::filesystem::path write_file(const std::string& name, std::string_view text);

  // Whoever decides knows that room of that node is kept from pods of others. Where one process
  // follows nodes, pods and reservations there is nothing to wait for.
  virtual void wait_until_kept(const std::string& /*node*/) {}

  // --- What is there -----------------------------------------------------------------------------

  void create(const std::string& yaml);

  // Of one pod. Labels are the rest of a YAML map.
  void create_deployment(std::string_view name, std::string_view cpu, std::string_view labels = "");
  void patch_node(const std::string& name, std::string_view patch);

  // As kubectl does it; another one is there when this returns, the old one still is.
  std::string begin_rebuild(std::string_view app);

  // --- What has come of it -----------------------------------------------------------------------

  // Of that app, without those that are being deleted.
  std::vector<json::Value> pods_of(std::string_view app);
  std::string pod_of(std::string_view app);
  std::string node_of(std::string_view app);     // "" while it waits, or does not exist.
  std::string refusal_of(std::string_view app);  // What PodScheduled says if it is False.
  std::string uid_of(std::string_view app);      // "" unless there is exactly one.
  std::size_t reservations(std::string_view phase);
  std::string reservation_phase();  // "Holding", "Bound", ...; "" without any.

  // --- The stories -------------------------------------------------------------------------------

  // A tainted master and a worker, and the Deployment that runs there.
  void build_master_and_worker();
  void deploy_to_the_worker();

  // An annotation keeps the room of the worker for somebody else, a pod is rebuilt, and the
  // annotation goes. From just before that until somebody who asks all the time sees it bound.
  std::chrono::milliseconds tell_of_the_annotation();

  // Two nodes that are full, one of them with the pod that will be rebuilt; somebody waits.
  void fill_tightly();
  void tell_of_the_tight_cluster_with_the_controller();
  void tell_of_the_tight_cluster_without_the_controller();

  // Three nodes that are full, with a pod of each other kind of workload that makes its pods anew.
  void tell_of_other_workloads();

  // A node that is kept for an owner who does not come.
  void tell_of_the_reservation_that_goes();

  std::unique_ptr<Server> server_;
  std::unique_ptr<Caretaker> caretaker_;
  std::unique_ptr<BlockingApi> api_;
  std::vector<Child> programs_;

 private:
  Result<Child> begin(std::vector<std::string> arguments);

  std::string scheduler_name_;
  Child pod_maker_;
};

}  // namespace berth::kube
