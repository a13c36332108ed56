#include "client/kubeconfig.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/strings.h"
#include "client/entry_reader.h"
#include "json/yaml_read.h"

namespace berth::client {
namespace {

// One file: its name for messages, its folder for relative paths.
struct Origin {
  std::string file;
  std::string folder;  // With a slash at the end, or empty.

  std::string path(const std::string& written) const {
    const bool relative = !written.empty() && !written.starts_with('/');
    return relative ? folder + written : written;
  }
  std::string place(std::string_view list, std::size_t index, std::string_view name) const {
    return fmt::format("{}: {}[{}]{}", file, list, index,
                       name.empty() ? std::string() : fmt::format(" ({})", name));
  }
};

FileOrData file_or_data(EntryReader& reader, const std::string& name, const Origin& origin) {
  return {.path = origin.path(reader.text(name)), .data = reader.base64(name + "-data")};
}

json::Value exec_extension(EntryReader& reader) {
  const json::Value* extensions = reader.array("extensions");
  if (!extensions) return {};
  for (const json::Value& extension : extensions->elements()) {
    const json::Value* name = extension.find("name");
    const json::Value* contents = extension.find("extension");
    const bool ours =
        name && contents && name->string_or_empty() == "client.authentication.k8s.io/exec";
    if (ours) return *contents;
  }
  return {};
}

Result<ClusterEntry> parse_entry(ClusterEntry entry, EntryReader& reader, const Origin& origin) {
  entry.server = reader.text("server");
  entry.tls_server_name = reader.text("tls-server-name");
  entry.insecure_skip_tls_verify = reader.boolean("insecure-skip-tls-verify");
  entry.certificate_authority = file_or_data(reader, "certificate-authority", origin);
  entry.proxy_url = reader.text("proxy-url");
  entry.disable_compression = reader.boolean("disable-compression");
  entry.exec_config = exec_extension(reader);
  RETURN_IF_ERROR(reader.status());
  return entry;
}

InteractiveMode interactive_mode(EntryReader& reader, std::string_view api_version) {
  const std::string mode = reader.text("interactiveMode");
  if (mode == "Never") return InteractiveMode::Never;
  if (mode == "Always") return InteractiveMode::Always;
  const bool required = api_version.ends_with("/v1");
  if (mode != "IfAvailable" && (required || !mode.empty())) {
    reader.fail("interactiveMode",
                fmt::format("expected Never, IfAvailable or Always, found {}", quote(mode)));
  }
  return InteractiveMode::IfAvailable;
}

Result<ExecPlugin> parse_exec(const json::Value& value, const std::string& place,
                              const Origin& origin) {
  EntryReader reader(value, place);
  ExecPlugin plugin{.api_version = reader.text("apiVersion"),
                    .command = reader.text("command"),
                    .arguments = reader.texts("args"),
                    .install_hint = reader.text("installHint"),
                    .provide_cluster_info = reader.boolean("provideClusterInfo")};
  if (plugin.command.empty()) reader.fail("command", "it is missing");
  // A bare name is searched in PATH; anything else is a path like all the others.
  if (plugin.command.contains('/')) plugin.command = origin.path(plugin.command);
  const bool known = plugin.api_version == "client.authentication.k8s.io/v1" ||
                     plugin.api_version == "client.authentication.k8s.io/v1beta1";
  if (!known) {
    reader.fail("apiVersion",
                fmt::format("expected client.authentication.k8s.io/v1 or v1beta1, found {}",
                            quote(plugin.api_version)));
  }
  plugin.interactive_mode = interactive_mode(reader, plugin.api_version);
  if (const json::Value* list = reader.array("env")) {
    for (const json::Value& item : list->elements()) {
      EntryReader variable(item, place + ": env");
      plugin.environment.emplace_back(variable.text("name"), variable.text("value"));
      RETURN_IF_ERROR(variable.status());
    }
  }
  RETURN_IF_ERROR(reader.status());
  return plugin;
}

Result<Impersonation> parse_impersonation(EntryReader& reader, const std::string& place) {
  Impersonation who{
      .user = reader.text("as"), .uid = reader.text("as-uid"), .groups = reader.texts("as-groups")};
  if (const json::Value* extra = reader.object("as-user-extra")) {
    EntryReader values(*extra, place + ": as-user-extra");
    for (const json::Member& member : extra->members()) {
      who.extra[std::string(member.name())] = values.texts(member.name());
    }
    RETURN_IF_ERROR(values.status());
  }
  return who;
}

Result<UserEntry> parse_entry(UserEntry entry, EntryReader& reader, const Origin& origin,
                              const std::string& place) {
  entry.client_certificate = file_or_data(reader, "client-certificate", origin);
  entry.client_key = file_or_data(reader, "client-key", origin);
  entry.token = reader.text("token");
  entry.token_file = origin.path(reader.text("tokenFile"));
  entry.username = reader.text("username");
  entry.password = reader.text("password");
  if (const json::Value* exec = reader.object("exec")) {
    ASSIGN_OR_RETURN(entry.exec, parse_exec(*exec, place + ": exec", origin));
  }
  if (const json::Value* provider = reader.object("auth-provider")) {
    const json::Value* name = provider->find("name");
    entry.auth_provider = name ? name->string_or_empty() : "";
    if (entry.auth_provider.empty()) reader.fail("auth-provider", "it has no name");
  }
  ASSIGN_OR_RETURN(entry.impersonation, parse_impersonation(reader, place));
  RETURN_IF_ERROR(reader.status());
  return entry;
}

Result<ContextEntry> parse_entry(ContextEntry entry, EntryReader& reader) {
  entry.cluster = reader.text("cluster");
  entry.user = reader.text("user");
  entry.ns = reader.text("namespace");
  RETURN_IF_ERROR(reader.status());
  return entry;
}

// Goes over one of the three lists. `parse` gets the inner object and where it is.
template <typename Entry, typename Parse>
Result<std::map<std::string, Entry>> parse_list(EntryReader& file, const Origin& origin,
                                                std::string_view list, std::string_view inner,
                                                Parse parse) {
  std::map<std::string, Entry> entries;
  const json::Value* array = file.array(list);
  if (!array) return entries;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const json::Value& item = array->elements()[i];
    EntryReader outer(item, origin.place(list, i, ""));
    const std::string name = outer.text("name");
    const std::string place = origin.place(list, i, name);
    if (name.empty()) outer.fail("name", "it is missing");
    if (entries.contains(name)) outer.fail("name", fmt::format("{} is there twice", quote(name)));
    const json::Value* found = outer.object(inner);
    RETURN_IF_ERROR(outer.status());
    const json::Value nothing;
    EntryReader reader(found ? *found : nothing, place);
    ASSIGN_OR_RETURN(entries[name], parse(reader, place));
  }
  return entries;
}

Result<json::Value> read_document(std::string_view text, const std::string& file) {
  auto documents = json::read_yaml(text, {.depth_max = 64, .size_max = 16 << 20});
  if (!documents.ok()) return failure(std::move(documents).error().in_context(file));
  if (documents->empty()) return json::Value::object({});
  if (documents->size() > 1) {
    return failure(Code::BadRequest, file + ": expected one document, found several");
  }
  return std::move(documents->front());
}

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& file) {
  ASSIGN_OR_RETURN(const json::Value document, read_document(text, file));
  const std::size_t slash = file.rfind('/');
  const Origin origin{.file = file,
                      .folder = slash == std::string::npos ? "" : file.substr(0, slash + 1)};
  EntryReader reader(document, file);
  const std::string kind = reader.text("kind");
  if (!kind.empty() && kind != "Config") {
    reader.fail("kind", fmt::format("expected \"Config\", found {}", quote(kind)));
  }
  Kubeconfig config{.current_context = reader.text("current-context")};
  ASSIGN_OR_RETURN(config.clusters,
                   parse_list<ClusterEntry>(reader, origin, "clusters", "cluster",
                                            [&](EntryReader& entry, const std::string&) {
                                              return parse_entry(ClusterEntry{.file = file}, entry,
                                                                 origin);
                                            }));
  ASSIGN_OR_RETURN(config.users,
                   parse_list<UserEntry>(reader, origin, "users", "user",
                                         [&](EntryReader& entry, const std::string& place) {
                                           return parse_entry(UserEntry{.file = file}, entry,
                                                              origin, place);
                                         }));
  ASSIGN_OR_RETURN(config.contexts,
                   parse_list<ContextEntry>(reader, origin, "contexts", "context",
                                            [&](EntryReader& entry, const std::string&) {
                                              return parse_entry(ContextEntry{.file = file}, entry);
                                            }));
  RETURN_IF_ERROR(reader.status());
  return config;
}

Kubeconfig merge_kubeconfigs(std::vector<Kubeconfig> configs) {
  Kubeconfig merged;
  for (Kubeconfig& config : configs) {
    merged.clusters.merge(config.clusters);
    merged.users.merge(config.users);
    merged.contexts.merge(config.contexts);
    if (merged.current_context.empty()) merged.current_context = config.current_context;
  }
  return merged;
}

KubeconfigFiles kubeconfig_files(const KubeconfigEnvironment& environment) {
  using Missing = KubeconfigFiles::Missing;
  if (!environment.flag.empty()) {
    return {.paths = {environment.flag}, .missing = Missing::IsAnError};
  }
  KubeconfigFiles files;
  for (const std::string_view path : split(environment.kubeconfig, ':')) {
    const bool known = std::ranges::find(files.paths, path) != files.paths.end();
    if (!path.empty() && !known) files.paths.emplace_back(path);
  }
  const bool listed = !environment.kubeconfig.empty();
  if (!listed && !environment.home.empty()) {
    files.paths.push_back(environment.home + "/.kube/config");
  }
  return files;
}

}  // namespace berth::client
