// The writing half of kubeconfig.h. Tested by kubeconfig_test.cc.

#include <string_view>

#include "base/base64.h"
#include "client/kubeconfig.h"

namespace berth::client {
namespace {

void set(json::Value& object, std::string_view name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

void set(json::Value& object, std::string_view name, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) object[name].push_back(text);
}

void set(json::Value& object, const std::string& name, const FileOrData& source) {
  set(object, name, source.path);
  if (!source.data.empty()) object[name + "-data"] = encode_base64(source.data);
}

std::string_view mode_name(InteractiveMode mode) {
  switch (mode) {
    case InteractiveMode::Never:
      return "Never";
    case InteractiveMode::IfAvailable:
      return "IfAvailable";
    case InteractiveMode::Always:
      return "Always";
  }
  return "";
}

json::Value document_of(const ClusterEntry& entry) {
  json::Value object = json::Value::object({});
  set(object, "server", entry.server);
  set(object, "tls-server-name", entry.tls_server_name);
  if (entry.insecure_skip_tls_verify) object["insecure-skip-tls-verify"] = true;
  set(object, "certificate-authority", entry.certificate_authority);
  set(object, "proxy-url", entry.proxy_url);
  if (entry.disable_compression) object["disable-compression"] = true;
  if (!entry.exec_config.is_null()) {
    object["extensions"].push_back(json::Value::object(
        {{"name", "client.authentication.k8s.io/exec"}, {"extension", entry.exec_config}}));
  }
  return object;
}

json::Value document_of(const ExecPlugin& plugin) {
  json::Value object = json::Value::object({{"apiVersion", plugin.api_version},
                                            {"command", plugin.command},
                                            {"interactiveMode", mode_name(plugin.interactive_mode)},
                                            {"provideClusterInfo", plugin.provide_cluster_info}});
  set(object, "args", plugin.arguments);
  for (const auto& [name, value] : plugin.environment) {
    object["env"].push_back(json::Value::object({{"name", name}, {"value", value}}));
  }
  set(object, "installHint", plugin.install_hint);
  return object;
}

json::Value document_of(const UserEntry& entry) {
  json::Value object = json::Value::object({});
  set(object, "client-certificate", entry.client_certificate);
  set(object, "client-key", entry.client_key);
  set(object, "token", entry.token);
  set(object, "tokenFile", entry.token_file);
  set(object, "username", entry.username);
  set(object, "password", entry.password);
  if (entry.exec) object["exec"] = document_of(*entry.exec);
  set(object, "as", entry.impersonation.user);
  set(object, "as-uid", entry.impersonation.uid);
  set(object, "as-groups", entry.impersonation.groups);
  for (const auto& [name, values] : entry.impersonation.extra) {
    object["as-user-extra"][name] = json::Value::array();
    set(object["as-user-extra"], name, values);
  }
  return object;
}

json::Value document_of(const ContextEntry& entry) {
  json::Value object = json::Value::object({});
  set(object, "cluster", entry.cluster);
  set(object, "user", entry.user);
  set(object, "namespace", entry.ns);
  return object;
}

template <typename Entry>
json::Value list_of(const std::map<std::string, Entry>& entries, std::string_view inner) {
  json::Value list = json::Value::array();
  for (const auto& [name, entry] : entries) {
    list.push_back(json::Value::object({{"name", name}, {inner, document_of(entry)}}));
  }
  return list;
}

}  // namespace

json::Value document_of(const Kubeconfig& config) {
  return json::Value::object({{"apiVersion", "v1"},
                              {"kind", "Config"},
                              {"clusters", list_of(config.clusters, "cluster")},
                              {"users", list_of(config.users, "user")},
                              {"contexts", list_of(config.contexts, "context")},
                              {"current-context", config.current_context}});
}

}  // namespace berth::client
