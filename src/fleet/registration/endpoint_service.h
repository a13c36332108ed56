// From kubeconfigs to what registration wants to know of them, and back.

#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "client/api_service.h"
#include "client/client_config.h"
#include "client/kubeconfig.h"
#include "env/disk.h"
#include "env/loop.h"
#include "fleet/registration/hub_identity.h"

namespace berth::fleet {

// Of the current context. The file names an authority that is no data.
Result<HubEndpoint> endpoint_of(const client::Kubeconfig& kubeconfig);
Result<HubEndpoint> endpoint_of(const HubSecret& secret);  // Of the kubeconfig in it.

// How to reach the hub as the agent.
Result<client::ClientConfig> config_of(const HubEndpoint& endpoint, const HubIdentity& identity);

// Reads the bootstrap kubeconfig, which may change at any time. NotFound: there is none.
using BootstrapLoaded = std::move_only_function<void(Result<client::Kubeconfig>)>;
using LoadBootstrap = std::function<void(BootstrapLoaded)>;

// From the key "kubeconfig" of the Secret; from a file. What is borrowed outlives the function.
LoadBootstrap bootstrap_from_secret(client::Api& api, std::string ns, std::string name);
LoadBootstrap bootstrap_from_file(env::Disk& disk, env::Loop& loop, std::string path);

}  // namespace berth::fleet
