// A hub and the agents of one cluster, each Berth's or Open Cluster Management's own, on two
// servers: everything between them is theirs.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kube/child.h"
#include "kube/joining.h"
#include "kube/ocm_controller.h"

namespace berth::kube {

enum class Maker { Berth, Ocm };

struct Makers {
  std::string_view name;
  Maker hub;
  Maker agents;
};

class Pairing {
 public:
  // The hub's controllers run, and on the cluster what runs its pods. Fails the test if that cannot
  // be had. OCM's programs are found through $BERTH_OCM_REGISTRATION and its like.
  static std::unique_ptr<Pairing> start(const Makers& makers);

  Joining& fleet() { return *fleet_; }

  // Registration, works and add-ons of that cluster; again after stop_agents(), as they were.
  void start_agents(const std::string& cluster);
  void stop_agents();

 private:
  Pairing() = default;
  void start_ocm_hub();
  void start_ocm_agents(const std::string& cluster);

  Maker agents_ = Maker::Berth;
  std::unique_ptr<Joining> fleet_;
  Child kubelet_;
  std::unique_ptr<OcmController> placement_;
  std::vector<Child> hub_programs_;
  std::vector<Child> agent_programs_;
};

}  // namespace berth::kube
