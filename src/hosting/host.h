// Host: one hosting cluster as decisions see it, put together from what the hub knows about it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/labels.h"
#include "api/taint.h"
#include "base/time.h"
#include "hosting/amounts.h"
#include "hosting/hosting_ledger.h"
#include "hosting/load.h"
#include "json/value.h"

namespace berth::hosting {

// How many hosted clusters a host should and may have.
struct Thresholds {
  std::int64_t hosted_max = 80;
  std::int64_t threshold = 60;

  bool operator==(const Thresholds&) const = default;
};

struct Host {
  std::string name = {};
  std::vector<api::Label> labels = {};  // Sorted by key.
  std::vector<api::Label> claims = {};  // Of the cluster, sorted by name.
  std::vector<api::Taint> taints = {};
  bool is_accepted = false;
  bool is_available = false;
  bool is_deleting = false;
  bool is_hosting = false;  // It says so itself.
  bool says_full = false;   // So, too.
  bool has_ledger = false;
  Thresholds thresholds = {};
  HostingLedger ledger = {};
  Observation observation = {};
  Load load = {};  // As of the last weigh().

  // The load changes with the claims, and with time: what was delivered long enough ago is counted
  // by a live agent.
  void weigh(Time now);
};

// Borrowed; all but the cluster may be missing.
struct HostSources {
  const json::Value& cluster;
  const json::Value* ledger = nullptr;
  const json::Value* score = nullptr;              // hosted-clusters-score
  const json::Value* add_on = nullptr;             // ManagedClusterAddOn hypershift-addon
  const json::Value* deployment_config = nullptr;  // The AddOnDeploymentConfig that it uses.
};

Host read_host(const HostSources& sources, Time now);

// hcMaxNumber and hcThresholdNumber as HyperShift's add-on reads them: if one of them makes no
// sense, neither counts.
Thresholds read_thresholds(const json::Value* deployment_config);

// Which AddOnDeploymentConfig the add-on on that cluster uses: "namespace/name"; empty: none.
std::string deployment_config_of(const json::Value& add_on);

}  // namespace berth::hosting
