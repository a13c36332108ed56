// Finds out which server to talk to: flags, kubeconfig files, or the pod we run in.

#pragma once

#include <string>

#include "base/result.h"
#include "client/client_config.h"
#include "client/in_cluster.h"
#include "client/kubeconfig.h"
#include "env/disk.h"
#include "env/log.h"

namespace berth::client {

// All that comes from the process: flags and environment variables are read in app/ only.
struct ConfigSources {
  KubeconfigEnvironment kubeconfig = {};
  ConfigOverrides overrides = {};
  PodEnvironment pod = {};  // Without its namespace, which is read here.
  http::ProxyEnvironment proxies = {};
};

// The named file alone; else those of $KUBECONFIG, merged; else the one in the home folder; else
// the cluster around us. Never a guess. A cluster without proxy-url is reached as the environment
// says.
Result<ClientConfig> load_config(const ConfigSources& sources, env::Disk& disk, env::Log& log);

// The files alone, merged: for tools that show or change them.
Result<Kubeconfig> load_kubeconfig(const KubeconfigFiles& files, env::Disk& disk, env::Log& log);

}  // namespace berth::client
