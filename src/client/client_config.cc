#include "client/client_config.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::client {
namespace {

std::unexpected<Error> invalid(std::string message) {
  return failure(Code::Invalid, std::move(message));
}

std::string said_in(const std::string& file) {
  return file.empty() ? std::string() : fmt::format(" ({})", file);
}

template <typename Entry>
Result<Entry> entry_named(const std::map<std::string, Entry>& entries, std::string_view what,
                          const std::string& name, const std::string& wanted_by) {
  if (name.empty()) return Entry{};
  if (const auto found = entries.find(name); found != entries.end()) return found->second;
  return invalid(fmt::format("{} {} does not exist{}", what, quote(name),
                             wanted_by.empty() ? "" : ", but " + wanted_by + " names it"));
}

const std::string& first_set(const std::string& first, const std::string& second) {
  return first.empty() ? second : first;
}

void override_cluster(ClusterEntry& cluster, const ConfigOverrides& overrides) {
  cluster.server = first_set(overrides.server, cluster.server);
  cluster.tls_server_name = first_set(overrides.tls_server_name, cluster.tls_server_name);
  if (!overrides.certificate_authority.empty()) {
    cluster.certificate_authority = {.path = overrides.certificate_authority};
    cluster.insecure_skip_tls_verify = false;
  }
  if (overrides.insecure_skip_tls_verify) {
    cluster.insecure_skip_tls_verify = *overrides.insecure_skip_tls_verify;
    // Whoever asks for no verification on the command line means it.
    const bool drop = cluster.insecure_skip_tls_verify && overrides.certificate_authority.empty();
    if (drop) cluster.certificate_authority = {};
  }
}

void override_user(UserEntry& user, const ConfigOverrides& overrides) {
  if (!overrides.token.empty()) {
    user.token = overrides.token;
    user.token_file.clear();
    user.username.clear();
    user.password.clear();
    user.exec = std::nullopt;
    user.auth_provider.clear();
  }
  if (!overrides.client_certificate.empty()) {
    user.client_certificate = {.path = overrides.client_certificate};
  }
  if (!overrides.client_key.empty()) user.client_key = {.path = overrides.client_key};
  const Impersonation& who = overrides.impersonation;
  if (!who.user.empty()) user.impersonation.user = who.user;
  if (!who.uid.empty()) user.impersonation.uid = who.uid;
  if (!who.groups.empty()) user.impersonation.groups = who.groups;
  if (!who.extra.empty()) user.impersonation.extra = who.extra;
}

// Query and fragment of the written URL have no meaning for a server: cut off.
Result<http::Url> server_url(const std::string& written) {
  const std::string text = written.substr(0, written.find_first_of("?#"));
  ASSIGN_OR_RETURN(http::Url url, http::parse_url(text));
  if (!url.userinfo.empty()) {
    return invalid("a server's URL has no user in it; users have entries of their own");
  }
  return url;
}

// The one of the kubeconfig is used for every server, the own machine included.
Result<std::optional<http::Proxy>> proxy_of(const ClusterEntry& cluster, const std::string& name) {
  if (cluster.proxy_url.empty()) return std::nullopt;
  auto proxy = http::parse_proxy(cluster.proxy_url);
  if (proxy.ok()) return *std::move(proxy);
  return failure(std::move(proxy).error().in_context(
      fmt::format("cluster {}{}: proxy-url", quote(name), said_in(cluster.file))));
}

Status check_cluster(const ClusterEntry& cluster, const std::string& name) {
  const std::string place = fmt::format("cluster {}{}", quote(name), said_in(cluster.file));
  if (cluster.insecure_skip_tls_verify && !cluster.certificate_authority.empty()) {
    return invalid(place +
                   ": certificate-authority and insecure-skip-tls-verify exclude each other");
  }
  return {};
}

Status check_user(const UserEntry& user, const std::string& name) {
  const std::string place = fmt::format("user {}{}", quote(name), said_in(user.file));
  if (user.client_certificate.empty() != user.client_key.empty()) {
    const char* missing = user.client_key.empty() ? "client-key" : "client-certificate";
    return invalid(
        fmt::format("{}: {} is missing: certificate and key go together", place, missing));
  }
  if (!user.auth_provider.empty()) {
    return invalid(fmt::format("{}: auth-provider {} is not supported; its exec plugin is", place,
                               quote(user.auth_provider)));
  }
  const bool token = !user.token.empty() || !user.token_file.empty();
  if (token && !user.username.empty()) {
    return invalid(place + ": a token and a username exclude each other");
  }
  const Impersonation& who = user.impersonation;
  const bool more = !who.uid.empty() || !who.groups.empty() || !who.extra.empty();
  if (who.user.empty() && more) {
    return invalid(place + ": as-uid, as-groups and as-user-extra need as");
  }
  return {};
}

// Credentials never travel over a connection that anybody can read.
void drop_secrets(ClientConfig& config) {
  config.credentials = {};
  config.tls = {};
}

}  // namespace

Result<ClientConfig> resolve_config(const Kubeconfig& kubeconfig,
                                    const ConfigOverrides& overrides) {
  const std::string& context_name = first_set(overrides.context, kubeconfig.current_context);
  ASSIGN_OR_RETURN(const ContextEntry context,
                   entry_named(kubeconfig.contexts, "context", context_name,
                               overrides.context.empty() ? "current-context" : ""));
  const std::string by_context =
      fmt::format("context {}{}", quote(context_name), said_in(context.file));
  const bool cluster_flag = !overrides.cluster.empty();
  const std::string cluster_name = first_set(overrides.cluster, context.cluster);
  ASSIGN_OR_RETURN(ClusterEntry cluster, entry_named(kubeconfig.clusters, "cluster", cluster_name,
                                                     cluster_flag ? "" : by_context));
  const std::string user_name = first_set(overrides.user, context.user);
  ASSIGN_OR_RETURN(UserEntry user, entry_named(kubeconfig.users, "user", user_name,
                                               overrides.user.empty() ? by_context : ""));
  override_cluster(cluster, overrides);
  override_user(user, overrides);
  if (cluster.server.empty()) {
    if (cluster_name.empty()) {
      return invalid("no server: set current-context, or choose a context, cluster or server");
    }
    return invalid(
        fmt::format("cluster {}{}: server is missing", quote(cluster_name), said_in(cluster.file)));
  }
  RETURN_IF_ERROR(check_cluster(cluster, cluster_name));
  RETURN_IF_ERROR(check_user(user, user_name));
  ASSIGN_OR_RETURN(auto proxy, proxy_of(cluster, cluster_name));
  auto url = server_url(cluster.server);
  if (!url.ok()) {
    return failure(std::move(url).error().in_context(
        fmt::format("cluster {}{}: server", quote(cluster_name), said_in(cluster.file))));
  }

  ClientConfig config{.server = *std::move(url),
                      .tls = {.certificate_authority = cluster.certificate_authority,
                              .server_name = cluster.tls_server_name,
                              .insecure = cluster.insecure_skip_tls_verify,
                              .client_certificate = user.client_certificate,
                              .client_key = user.client_key},
                      .credentials = {.token = user.token,
                                      .token_file = user.token_file,
                                      .username = user.username,
                                      .password = user.password,
                                      .exec = user.exec},
                      .impersonation = user.impersonation,
                      .proxy_url = cluster.proxy_url,
                      .proxy = std::move(proxy),
                      .ns = first_set(first_set(overrides.ns, context.ns), "default"),
                      .disable_compression = cluster.disable_compression,
                      .request_timeout = overrides.request_timeout,
                      .exec_config = cluster.exec_config,
                      .name = context_name,
                      .written_server = cluster.server};
  if (config.server.scheme == http::Scheme::Http) drop_secrets(config);
  return config;
}

}  // namespace berth::client
