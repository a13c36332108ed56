// kubeconfig files: one file read, several merged, one written.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::client {

// PEM text, or the file it is in. The text wins.
struct FileOrData {
  std::string path = {};
  std::string data = {};

  bool empty() const { return path.empty() && data.empty(); }
  bool operator==(const FileOrData&) const = default;
};

struct ClusterEntry {
  std::string file = {};  // Where the entry was read; for messages.
  std::string server = {};
  std::string tls_server_name = {};
  bool insecure_skip_tls_verify = false;
  FileOrData certificate_authority = {};
  std::string proxy_url = {};
  bool disable_compression = false;
  json::Value exec_config = {};  // The extension that is passed to credential plugins.
};

enum class InteractiveMode : std::uint8_t { Never, IfAvailable, Always };

// A program that prints credentials.
struct ExecPlugin {
  std::string api_version = {};
  std::string command = {};
  std::vector<std::string> arguments = {};
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string install_hint = {};  // Shown when the program is missing.
  bool provide_cluster_info = false;
  InteractiveMode interactive_mode = InteractiveMode::IfAvailable;

  bool operator==(const ExecPlugin&) const = default;
};

struct Impersonation {
  std::string user = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};

  bool operator==(const Impersonation&) const = default;
};

struct UserEntry {
  std::string file = {};
  FileOrData client_certificate = {};
  FileOrData client_key = {};
  std::string token = {};
  std::string token_file = {};  // Read again while running; wins over token once it was read.
  std::string username = {};
  std::string password = {};
  std::optional<ExecPlugin> exec = std::nullopt;
  std::string auth_provider = {};  // The name of one that is configured. Not supported.
  Impersonation impersonation = {};
};

struct ContextEntry {
  std::string file = {};
  std::string cluster = {};
  std::string user = {};
  std::string ns = {};
};

struct Kubeconfig {
  std::map<std::string, ClusterEntry> clusters = {};
  std::map<std::string, UserEntry> users = {};
  std::map<std::string, ContextEntry> contexts = {};
  std::string current_context = {};
};

// YAML or JSON. Unknown fields are ignored. Relative paths are resolved against the folder of
// `file`. Errors name the file and, where it is about syntax, line and column; otherwise the entry
// and the field: "x.yaml: users[1] (admin): token: expected string, found number".
Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& file);

// The first that defines an entry wins with the whole entry; the first non-empty current-context
// too.
Kubeconfig merge_kubeconfigs(std::vector<Kubeconfig> configs);

// As a document to be printed as JSON or YAML. It holds secrets: mode 0600.
json::Value document_of(const Kubeconfig& config);

// Which files to read. Explicitly named: it must exist. Otherwise those of $KUBECONFIG, or the one
// below the home folder; missing ones are skipped.
struct KubeconfigFiles {
  enum class Missing : std::uint8_t { IsAnError, IsSkipped };

  std::vector<std::string> paths = {};
  Missing missing = Missing::IsSkipped;
};

struct KubeconfigEnvironment {
  std::string flag = {};        // --kubeconfig
  std::string kubeconfig = {};  // $KUBECONFIG, separated by ':'
  std::string home = {};
};
KubeconfigFiles kubeconfig_files(const KubeconfigEnvironment& environment);

}  // namespace berth::client
