// Who we are and whom we trust, kept fresh: files are read again, plugins are asked again.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/client_config.h"
#include "client/exec_credential.h"
#include "env/clock.h"
#include "env/disk.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/process.h"
#include "env/scope.h"
#include "env/tls.h"

namespace berth::client {

struct CredentialOptions {
  std::vector<std::string> plugins_allowed = {};  // Empty: all.
  Terminal terminal = Terminal::Absent;
  Duration token_age_max = std::chrono::seconds(60);
  Duration files_interval = std::chrono::seconds(60);  // Certificates and authorities.
  Duration plugin_timeout = std::chrono::seconds(60);
};

class CredentialSource {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Disk& disk;
    env::Network& network;
    env::Processes& processes;
    env::Log& log;
  };

  // `on_tls_changed` is called with every value of tls() after the first, and with the first if the
  // files could not be read when tls() was asked.
  CredentialSource(World world, ClientConfig config, CredentialOptions options,
                   std::function<void(const env::TlsClient&)> on_tls_changed);

  // How to connect; the error when a file cannot be read. Absent for plain http.
  Result<std::optional<env::TlsClient>> tls();

  // The value of the Authorization header; empty: none. Fails also when tls() does. Runs at once
  // when it is known, or later, when a plugin has answered; many callers wait for one run.
  using Ready = std::move_only_function<void(Result<std::string>)>;
  void authorization(Ready ready);

  // The server refused `rejected`: look for something newer first, unless somebody already did.
  void refresh(const std::string& rejected, Ready ready);

 private:
  Result<env::TlsClient> read_tls() const;
  Result<std::string> read(const FileOrData& source) const;
  void read_tls_again();
  void arm_timer();

  Status ensure_tls();
  Result<std::string> from_config();
  void read_token();
  void run_plugin();
  Result<ExecCredential> take_output(Result<env::Exit> exit) const;
  void on_plugin_done(Result<env::Exit> exit);
  std::string plugin_authorization() const;

  World world_;
  ClientConfig config_;
  CredentialOptions options_;
  std::function<void(const env::TlsClient&)> on_tls_changed_;

  std::optional<env::TlsClient> tls_;  // The last that could be read, and used.
  std::string token_ = {};             // Of the token file.
  std::optional<Instant> token_read_ = std::nullopt;
  std::optional<ExecCredential> plugin_credential_ = std::nullopt;
  bool plugin_runs_ = false;
  std::vector<Ready> waiting_ = {};  // For the plugin.
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::client
