// The flags that say which API server to talk to, and as whom: the same for every subcommand, and
// the same as kubectl's.

#pragma once

#include <string>
#include <string_view>

#include "client/config_service.h"
#include "env/env.h"

namespace CLI {
class App;
}

namespace berth::app {

struct HubFlags {
  client::KubeconfigEnvironment kubeconfig = {};
  client::ConfigOverrides overrides = {};
  std::string request_timeout = "0";
};

void add_hub_flags(CLI::App& command, HubFlags& flags);

// "30s", "5m", or a number of seconds, as kubectl takes them; the error names the flag.
Result<Duration> parse_length(std::string_view flag, std::string_view text);

// With what the environment of this process and the files say. When nothing says where the hub is,
// the error says what to do.
Result<client::ClientConfig> load_hub_config(const HubFlags& flags, const env::Env& env);

}  // namespace berth::app
