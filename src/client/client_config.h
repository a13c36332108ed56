// Everything needed to talk to one server, as a value: where it is, whom to trust, who we are.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "client/kubeconfig.h"
#include "http/proxy.h"
#include "http/url.h"
#include "json/value.h"

namespace berth::client {

struct TlsSettings {
  FileOrData certificate_authority = {};  // Empty: the authorities of the system.
  std::string server_name = {};           // Empty: the host of the URL.
  bool insecure = false;                  // No verification at all; logged loudly.
  FileOrData client_certificate = {};
  FileOrData client_key = {};
};

struct Credentials {
  std::string token = {};
  std::string token_file = {};  // Wins over token once it was read.
  std::string username = {};
  std::string password = {};
  std::optional<ExecPlugin> exec = std::nullopt;
};

struct ClientConfig {
  http::Url server;  // With its base path, without query.
  TlsSettings tls = {};
  Credentials credentials = {};
  Impersonation impersonation = {};
  std::string proxy_url = {};                       // As the kubeconfig has it, for exec plugins.
  std::optional<http::Proxy> proxy = std::nullopt;  // Absent: straight to the server.
  std::string ns = "default";
  bool disable_compression = false;
  Duration request_timeout = Duration::zero();  // Zero: none.
  json::Value exec_config = {};                 // Of the cluster, for the exec plugin.
  std::string name = {};                        // Of the context, for messages.
  std::string written_server = {};  // The URL as the kubeconfig has it; empty: not from one.
};

// What flags say. Empty: not said.
struct ConfigOverrides {
  std::string context = {};
  std::string cluster = {};
  std::string user = {};
  std::string server = {};
  std::string ns = {};
  std::string token = {};
  std::string certificate_authority = {};  // Files, like the next two.
  std::string client_certificate = {};
  std::string client_key = {};
  std::string tls_server_name = {};
  std::optional<bool> insecure_skip_tls_verify = std::nullopt;
  Impersonation impersonation = {};
  Duration request_timeout = Duration::zero();
};

// The chosen context of a (merged) kubeconfig. Errors name the entry, its file and what is missing.
Result<ClientConfig> resolve_config(const Kubeconfig& kubeconfig, const ConfigOverrides& overrides);

}  // namespace berth::client
