// Tested by api_service_test.cc.

#include "client/credentials_service.h"

#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/strings.h"
#include "env/files.h"
#include "http/session.h"

namespace berth::client {
namespace {

constexpr std::size_t kFileMax = 1 << 20;

std::string bearer(std::string_view token) {
  return token.empty() ? std::string() : fmt::format("Bearer {}", token);
}

}  // namespace

CredentialSource::CredentialSource(World world, ClientConfig config, CredentialOptions options,
                                   std::function<void(const env::TlsClient&)> on_tls_changed)
    : world_(world),
      config_(std::move(config)),
      options_(std::move(options)),
      on_tls_changed_(std::move(on_tls_changed)) {
  if (config_.tls.insecure) {
    world_.log.warn("client.tls_not_verified", {{"server", config_.server.text()}});
  }
  arm_timer();
}

Result<std::string> CredentialSource::read(const FileOrData& source) const {
  if (!source.data.empty() || source.path.empty()) return source.data;
  auto text = env::read_file(world_.disk, source.path, kFileMax);
  if (!text.ok()) return failure(std::move(text).error().in_context(source.path));
  return text;
}

Result<env::TlsClient> CredentialSource::read_tls() const {
  const TlsSettings& settings = config_.tls;
  env::TlsClient tls{.server_name = settings.server_name,
                     .trust = settings.insecure ? env::TlsTrust::Anything : env::TlsTrust::Verify,
                     .protocols = {std::string(http::alpn_name(http::Protocol::Http2)),
                                   std::string(http::alpn_name(http::Protocol::Http1))}};
  ASSIGN_OR_RETURN(tls.authorities_pem, read(settings.certificate_authority));
  ASSIGN_OR_RETURN(tls.identity.certificates_pem, read(settings.client_certificate));
  ASSIGN_OR_RETURN(tls.identity.key_pem, read(settings.client_key));
  if (plugin_credential_ && !plugin_credential_->certificate_pem.empty()) {
    tls.identity = {.certificates_pem = plugin_credential_->certificate_pem,
                    .key_pem = plugin_credential_->key_pem};
  }
  return tls;
}

Result<std::optional<env::TlsClient>> CredentialSource::tls() {
  if (config_.server.scheme == http::Scheme::Http) return std::nullopt;
  if (!tls_) {
    ASSIGN_OR_RETURN(tls_, read_tls());
  }
  return tls_;
}

void CredentialSource::arm_timer() {
  if (config_.server.scheme == http::Scheme::Http) return;
  timer_ = env::after(world_.loop, world_.clock, options_.files_interval, [this] {
    arm_timer();
    read_tls_again();
  });
}

void CredentialSource::read_tls_again() {
  if (!tls_) return;  // Nobody has connected yet.
  auto tls = read_tls();
  const Status usable = !tls.ok() ? Status(failure(tls.error())) : world_.network.check(*tls);
  if (!usable.ok()) {
    // Perhaps in the middle of being replaced, the key before its certificate; what we have still
    // works.
    world_.log.warn("client.certificates_unusable", {{"error", usable.error().message}});
    return;
  }
  if (*tls == *tls_) return;
  tls_ = *std::move(tls);
  world_.log.info("client.certificates_changed", {{"server", config_.server.text()}});
  on_tls_changed_(*tls_);
}

void CredentialSource::read_token() {
  token_read_ = world_.clock.monotonic();
  const auto text = env::read_file(world_.disk, config_.credentials.token_file, kFileMax);
  if (text.ok() && !trim(*text).empty()) {
    token_ = trim(*text);
    return;
  }
  world_.log.warn("client.token_unreadable",
                  {{"file", config_.credentials.token_file},
                   {"error", text.ok() ? std::string_view("it is empty")
                                       : std::string_view(text.error().message)}});
}

// Everything but plugins.
Result<std::string> CredentialSource::from_config() {
  const Credentials& credentials = config_.credentials;
  if (!credentials.token_file.empty()) {
    const bool fresh =
        !token_.empty() && world_.clock.monotonic() - *token_read_ < options_.token_age_max;
    if (!fresh) read_token();
    if (token_.empty() && credentials.token.empty()) {
      return failure(Code::Unauthorized,
                     fmt::format("the token in {} cannot be read", credentials.token_file));
    }
    return bearer(token_.empty() ? credentials.token : token_);
  }
  if (!credentials.token.empty()) return bearer(credentials.token);
  if (!credentials.username.empty()) {
    return "Basic " + encode_base64(credentials.username + ":" + credentials.password);
  }
  return std::string();
}

Status CredentialSource::ensure_tls() {
  const bool known = tls_ || config_.server.scheme == http::Scheme::Http;
  if (known) return {};
  ASSIGN_OR_RETURN(tls_, read_tls());
  on_tls_changed_(*tls_);
  return {};
}

void CredentialSource::authorization(Ready ready) {
  if (auto tls = ensure_tls(); !tls.ok()) return ready(failure(tls.error()));
  if (!config_.credentials.exec) return ready(from_config());
  if (plugin_credential_ && is_usable(*plugin_credential_, world_.clock.now())) {
    return ready(plugin_authorization());
  }
  waiting_.push_back(std::move(ready));
  run_plugin();
}

void CredentialSource::refresh(const std::string& rejected, Ready ready) {
  // Several requests fail with the same credential; the first one of them has it replaced.
  if (config_.credentials.exec) {
    if (plugin_credential_ && plugin_authorization() == rejected) {
      plugin_credential_ = std::nullopt;
    }
  } else if (!config_.credentials.token_file.empty() && bearer(token_) == rejected) {
    read_token();
  }
  authorization(std::move(ready));
}

std::string CredentialSource::plugin_authorization() const {
  return bearer(plugin_credential_->token);
}

void CredentialSource::run_plugin() {
  if (plugin_runs_) return;
  plugin_runs_ = true;
  const ExecPlugin& plugin = *config_.credentials.exec;
  auto interactive = is_interactive(plugin, options_.terminal);
  auto allowed = check_allowed(plugin, options_.plugins_allowed);
  auto authorities = read(config_.tls.certificate_authority);
  for (const Error* error : {interactive.ok() ? nullptr : &interactive.error(),
                             allowed.ok() ? nullptr : &allowed.error(),
                             authorities.ok() ? nullptr : &authorities.error()}) {
    if (error) return on_plugin_done(failure(*error));
  }
  env::Command command{.program = plugin.command,
                       .arguments = plugin.arguments,
                       .input = *interactive ? env::ChildInput::Inherited : env::ChildInput::Empty,
                       .timeout = options_.plugin_timeout};
  for (const auto& [name, value] : plugin.environment) command.environment[name] = value;
  command.environment["KUBERNETES_EXEC_INFO"] =
      exec_info(plugin, config_, {.interactive = *interactive, .authorities_pem = *authorities});
  world_.processes.run(std::move(command), scope_.guard([this](Result<env::Exit> exit) {
    on_plugin_done(std::move(exit));
  }));
}

Result<ExecCredential> CredentialSource::take_output(Result<env::Exit> exit) const {
  const ExecPlugin& plugin = *config_.credentials.exec;
  if (!exit.ok()) {
    Error error = std::move(exit).error();
    const bool missing = error.code == Code::NotFound && !plugin.install_hint.empty();
    if (missing) error.message += "\n" + plugin.install_hint;
    error.code = Code::Unauthorized;
    return failure(std::move(error).in_context("credential plugin " + quote(plugin.command)));
  }
  if (exit->status != 0) {
    return failure(Code::Unauthorized, fmt::format("credential plugin {} ended with status {}",
                                                   quote(plugin.command), exit->status));
  }
  return parse_exec_credential(exit->output, plugin);
}

void CredentialSource::on_plugin_done(Result<env::Exit> exit) {
  plugin_runs_ = false;
  auto credential = take_output(std::move(exit));
  std::vector<Ready> waiting = std::exchange(waiting_, {});
  if (!credential.ok()) {
    world_.log.warn("client.plugin_failed", {{"error", credential.error().message}});
    for (Ready& ready : waiting) ready(failure(credential.error()));
    return;
  }
  plugin_credential_ = *std::move(credential);
  read_tls_again();
  const std::string authorization = plugin_authorization();
  for (Ready& ready : waiting) ready(authorization);
}

}  // namespace berth::client
