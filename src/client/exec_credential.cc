#include "client/exec_credential.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"
#include "json/text_of.h"

namespace berth::client {
namespace {

constexpr Duration kLeeway = std::chrono::seconds(10);

std::unexpected<Error> bad_output(const ExecPlugin& plugin, std::string_view problem) {
  return failure(Code::Unauthorized, fmt::format("credential plugin {}: its output {}",
                                                 quote(plugin.command), problem));
}

json::Value cluster_info(const ClientConfig& config, const std::string& authorities_pem) {
  json::Value cluster = json::Value::object({{"server", config.server.text()}});
  if (!config.tls.server_name.empty()) cluster["tls-server-name"] = config.tls.server_name;
  if (config.tls.insecure) cluster["insecure-skip-tls-verify"] = true;
  if (!authorities_pem.empty()) {
    cluster["certificate-authority-data"] = encode_base64(authorities_pem);
  }
  if (!config.proxy_url.empty()) cluster["proxy-url"] = config.proxy_url;
  if (config.disable_compression) cluster["disable-compression"] = true;
  cluster["config"] = config.exec_config;
  return cluster;
}

}  // namespace

Result<bool> is_interactive(const ExecPlugin& plugin, Terminal terminal) {
  const bool present = terminal == Terminal::Present;
  if (plugin.interactive_mode == InteractiveMode::Always && !present) {
    return failure(Code::Unauthorized,
                   fmt::format("credential plugin {} has to ask the user, and there is no terminal",
                               quote(plugin.command)));
  }
  return present && plugin.interactive_mode != InteractiveMode::Never;
}

std::string exec_info(const ExecPlugin& plugin, const ClientConfig& config, const ExecInfo& info) {
  json::Value spec = json::Value::object({});
  if (plugin.provide_cluster_info) spec["cluster"] = cluster_info(config, info.authorities_pem);
  spec["interactive"] = info.interactive;
  return json::print(json::Value::object(
      {{"kind", "ExecCredential"}, {"apiVersion", plugin.api_version}, {"spec", std::move(spec)}}));
}

Result<ExecCredential> parse_exec_credential(std::string_view output, const ExecPlugin& plugin) {
  const auto document = json::parse(output, {.depth_max = 32, .size_max = 1 << 20});
  if (!document.ok()) return bad_output(plugin, "is not JSON");
  if (text_of(*document, "kind") != "ExecCredential") {
    return bad_output(plugin, "is no ExecCredential");
  }
  if (text_of(*document, "apiVersion") != plugin.api_version) {
    return bad_output(plugin, fmt::format("has another apiVersion than {}", plugin.api_version));
  }
  const json::Value* status = document->find("status");
  if (!status || !status->is_object()) return bad_output(plugin, "has no status");
  ExecCredential credential{
      .token = std::string(text_of(*status, "token")),
      .certificate_pem = std::string(text_of(*status, "clientCertificateData")),
      .key_pem = std::string(text_of(*status, "clientKeyData"))};
  if (credential.certificate_pem.empty() != credential.key_pem.empty()) {
    return bad_output(plugin, "has a certificate without its key, or a key alone");
  }
  if (credential.token.empty() && credential.certificate_pem.empty()) {
    return bad_output(plugin, "has neither a token nor a certificate");
  }
  if (const std::string_view expiry = text_of(*status, "expirationTimestamp"); !expiry.empty()) {
    const auto time = parse_rfc3339(expiry);
    if (!time.ok()) return bad_output(plugin, "has an expirationTimestamp that is no time");
    credential.expires = *time;
  }
  return credential;
}

bool is_usable(const ExecCredential& credential, Time now) {
  return !credential.expires || now + kLeeway < *credential.expires;
}

Status check_allowed(const ExecPlugin& plugin, const std::vector<std::string>& allowed) {
  const bool listed = std::ranges::find(allowed, plugin.command) != allowed.end();
  if (allowed.empty() || listed) return {};
  return failure(Code::Forbidden, fmt::format("credential plugin {} is not among the allowed ones",
                                              quote(plugin.command)));
}

}  // namespace berth::client
