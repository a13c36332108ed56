// How a cluster that wants to join reaches the hub for the first time: what `berth get token`
// prints and `berth join` takes.

#pragma once

#include <string>
#include <vector>

#include "app/calls.h"
#include "base/result.h"
#include "client/client_config.h"
#include "client/kubeconfig.h"
#include "env/disk.h"
#include "json/value.h"

namespace berth::app {

struct BootstrapAccess {
  std::string server;
  std::string token;
  std::string authority_pem = {};  // Empty: the authorities of the system.
};

client::Kubeconfig kubeconfig_of(const BootstrapAccess& access);

// Where a cluster's agent looks for it: what to apply, in this order.
struct BootstrapWrite {
  client::ResourcePath path;
  json::Value object;
};
std::vector<BootstrapWrite> bootstrap_writes(const std::string& ns, const client::Kubeconfig& hub);

// Does that.
Status store_bootstrap(Calls& cluster, const std::string& ns, const client::Kubeconfig& hub);

// Where the hub of that configuration is, as others reach it; with the authority's own bytes. The
// token is left empty.
Result<BootstrapAccess> access_of(const client::ClientConfig& hub, env::Disk& disk);

// The command that joins a cluster, whose name is left to the user if it is empty.
std::string join_command(const BootstrapAccess& access, const std::string& cluster);

}  // namespace berth::app
