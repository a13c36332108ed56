// The protocol of credential plugins (client.authentication.k8s.io): what they are told, what they
// print, and how long it holds.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "client/client_config.h"

namespace berth::client {

struct ExecCredential {
  std::string token = {};
  std::string certificate_pem = {};  // Comes with key_pem or not at all.
  std::string key_pem = {};
  std::optional<Time> expires = std::nullopt;

  bool operator==(const ExecCredential&) const = default;
};

enum class Terminal { Present, Absent };

// Whether the plugin may talk to the user. Fails for one that must and cannot.
Result<bool> is_interactive(const ExecPlugin& plugin, Terminal terminal);

// KUBERNETES_EXEC_INFO. `authorities_pem` is the text of the cluster's CA, for plugins that want to
// know the cluster.
struct ExecInfo {
  bool interactive = false;
  std::string authorities_pem = {};
};
std::string exec_info(const ExecPlugin& plugin, const ClientConfig& config, const ExecInfo& info);

// The plugin's output. An error names what is missing, and never quotes the output: it may hold
// secrets.
Result<ExecCredential> parse_exec_credential(std::string_view output, const ExecPlugin& plugin);

// A credential is used until shortly before it expires, since requests take time.
bool is_usable(const ExecCredential& credential, Time now);

// Only the bare name of a command, or its absolute path, as listed by the operator, may run. An
// empty list allows everything.
Status check_allowed(const ExecPlugin& plugin, const std::vector<std::string>& allowed);

}  // namespace berth::client
