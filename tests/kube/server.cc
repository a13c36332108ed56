#include "kube/server.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "base/base64.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/accounts.h"
#include "kube/contents.h"
#include "kube/paths.h"
#include "kube/ports.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

constexpr auto kPatience = std::chrono::seconds(120);
constexpr auto kPause = std::chrono::milliseconds(100);

Result<std::string> program(const char* variable) {
  const char* path = std::getenv(variable);
  if (path && *path) return std::string(path);
  return failure(Code::NotFound,
                 fmt::format("${} is not set: run the tests with make test-kube", variable));
}

std::string pki_program() { return source_path("tests/kube/pki").string(); }

}  // namespace

ServerKind server_kind() {
  const char* said = std::getenv("BERTH_TEST_HUB");
  const bool is_embedded = said && std::string_view(said) == "embedded";
  return is_embedded ? ServerKind::EmbeddedHub : ServerKind::KubeApiserver;
}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  std::unique_ptr<Server> server(new Server);
  server->options_ = std::move(options);
  std::string pattern = (fs::temp_directory_path() / "berth-kube-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) return failure(Code::InternalError, "cannot make a folder");
  server->folder_ = pattern;
  server->port_ = free_port();
  const bool is_hub = server->options_.kind == ServerKind::EmbeddedHub;
  RETURN_IF_ERROR(is_hub ? server->start_hub() : server->start_kube());
  return server;
}

Status Server::start_kube() {
  etcd_port_ = free_port();
  RETURN_IF_ERROR(run({pki_program(), (folder_ / "pki").string()}));
  ASSIGN_OR_RETURN(kubeconfig_, kubeconfig_for({.name = "admin"}));
  RETURN_IF_ERROR(start_etcd());
  return start_kube_apiserver();
}

// The hub makes its authority and the administrator's kubeconfig itself; further certificates are
// issued with its key.
Status Server::start_hub() {
  RETURN_IF_ERROR(start_berth_hub(options_.flags));
  kubeconfig_ = folder_ / "kubeconfig";
  RETURN_IF_ERROR(run({pki_program(), (folder_ / "pki").string()}));
  RETURN_IF_ERROR(kubeconfig_for({.name = "admin"}));
  return {};
}

// Ours ends as it would anywhere, so that its leaks are told; the others take two seconds for it.
Server::~Server() {
  if (options_.kind == ServerKind::EmbeddedHub) apiserver_.stop();
  apiserver_.kill();
  etcd_.kill();
  judge_requests(folder_);
  std::error_code ignored;
  if (!std::getenv("BERTH_KEEP")) fs::remove_all(folder_, ignored);
}

std::string Server::url() const { return fmt::format("https://127.0.0.1:{}", port_); }

Result<fs::path> Server::kubeconfig_for(const UserOptions& user) {
  const fs::path pki = folder_ / "pki";
  RETURN_IF_ERROR(run({pki_program(), pki.string(), user.name, user.group,
                       std::to_string(user.certificate_seconds)}));
  const fs::path path = folder_ / (user.name + ".kubeconfig");
  std::ofstream(path) << fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: test\n"
      "clusters:\n- name: test\n  cluster:\n    server: {}\n    certificate-authority: pki/ca.crt\n"
      "users:\n- name: {}\n  user:\n    client-certificate: pki/{}.crt\n    client-key: "
      "pki/{}.key\n"
      "contexts:\n- name: test\n  context:\n    cluster: test\n    user: {}\n",
      url(), user.name, user.name, user.name, user.name);
  return path;
}

Status Server::start_etcd() {
  ASSIGN_OR_RETURN(const std::string etcd, program("BERTH_ETCD"));
  // Most of the 64 MB that it sets aside at its start are holes, and stay so.
  if (!options_.etcd_data.empty()) {
    RETURN_IF_ERROR(run({"cp", "--recursive", "--sparse=always", options_.etcd_data.string(),
                         (folder_ / "etcd").string()}));
  }
  const std::string client = fmt::format("http://127.0.0.1:{}", etcd_port_);
  const std::string peer = fmt::format("http://127.0.0.1:{}", free_port());
  ASSIGN_OR_RETURN(
      etcd_, Child::start({etcd, "--data-dir", (folder_ / "etcd").string(), "--listen-client-urls",
                           client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                           "--initial-advertise-peer-urls", peer, "--initial-cluster",
                           "default=" + peer, "--unsafe-no-fsync"},
                          folder_ / "etcd.log"));
  return {};
}

Status Server::start_kube_apiserver() {
  ASSIGN_OR_RETURN(const std::string apiserver, program("BERTH_KUBE_APISERVER"));
  const fs::path pki = folder_ / "pki";
  std::vector<std::string> command = {
      apiserver,
      fmt::format("--etcd-servers=http://127.0.0.1:{}", etcd_port_),
      fmt::format("--secure-port={}", port_),
      "--bind-address=127.0.0.1",
      "--cert-dir=" + (folder_ / "certs").string(),
      "--tls-cert-file=" + (pki / "server.crt").string(),
      "--tls-private-key-file=" + (pki / "server.key").string(),
      "--client-ca-file=" + (pki / "ca.crt").string(),
      "--authorization-mode=RBAC",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--service-account-issuer=https://kubernetes.default.svc",
      "--service-account-key-file=" + (pki / "service-accounts.pub").string(),
      "--service-account-signing-key-file=" + (pki / "service-accounts.key").string(),
      // Nobody makes the default service accounts here; pods would be refused without them.
      "--disable-admission-plugins=ServiceAccount",
  };
  const std::vector<std::string> audit = audit_flags(options_.kind, folder_);
  command.insert(command.end(), audit.begin(), audit.end());
  command.insert(command.end(), options_.flags.begin(), options_.flags.end());
  ASSIGN_OR_RETURN(apiserver_, Child::start(command, folder_ / "apiserver.log"));
  return wait_until_ready();
}

Status Server::start_berth_hub(const std::vector<std::string>& flags) {
  std::vector<std::string> command = {berth_program().string(),
                                      "hub",
                                      "--data-dir",
                                      folder_.string(),
                                      "--listen",
                                      fmt::format("127.0.0.1:{}", port_),
                                      "--controllers",
                                      options_.controllers};
  // One file for the audit is all that it takes.
  if (std::ranges::find(flags, "--audit-log-path") == flags.end()) {
    const std::vector<std::string> audit = audit_flags(options_.kind, folder_);
    command.insert(command.end(), audit.begin(), audit.end());
  }
  command.insert(command.end(), flags.begin(), flags.end());
  ASSIGN_OR_RETURN(apiserver_, Child::start(command, folder_ / "apiserver.log"));
  return wait_until_ready();
}

Status Server::forget_config_map(const std::string& name) {
  return options_.kind == ServerKind::EmbeddedHub ? forget_on_hub(name) : forget_in_etcd(name);
}

Result<fs::path> Server::etcd_data() {
  if (options_.kind != ServerKind::KubeApiserver) {
    return failure(Code::NotFound, "the embedded hub has no etcd");
  }
  apiserver_.kill();
  etcd_.stop();
  return folder_ / "etcd";
}

// Through the JSON gateway of etcd, which keeps running.
Status Server::forget_in_etcd(const std::string& name) {
  using json::Value;
  ASSIGN_OR_RETURN(
      const Value removed,
      etcd("/v3/kv/deleterange",
           Value::object({{"key", encode_base64("/registry/configmaps/default/" + name)}})));
  const Value* deleted = removed.find("deleted");
  if (!deleted || deleted->string_or_empty() != "1") {
    return failure(Code::NotFound, "etcd has no such ConfigMap");
  }
  // Moves on by one revision, so that everything before is history.
  ASSIGN_OR_RETURN(const Value put,
                   etcd("/v3/kv/put", Value::object({{"key", encode_base64("moved-on")},
                                                     {"value", encode_base64("x")}})));
  const Value* revision = put.find_path({"header", "revision"});
  if (!revision) return failure(Code::InternalError, "etcd did not say its revision");
  RETURN_IF_ERROR(
      etcd("/v3/kv/compaction", Value::object({{"revision", *revision}, {"physical", true}})));
  return {};
}

// The hub runs where nobody knows it, with a short memory.
Status Server::forget_on_hub(const std::string& name) {
  const int known_port = std::exchange(port_, free_port());
  RETURN_IF_ERROR(start_berth_hub({"--watch-history=1ms"}));
  const std::string collection = url() + "/api/v1/namespaces/default/configmaps";
  RETURN_IF_ERROR(curl({"--request", "DELETE", collection + "/" + name}));
  // Two seconds of a watch on nothing, in which it tidies up.
  RETURN_IF_ERROR(
      curl({collection + "?watch=1&fieldSelector=metadata.name=none&timeoutSeconds=2"}));
  apiserver_.stop();
  port_ = known_port;
  return {};
}

Result<json::Value> Server::etcd(std::string_view path, const json::Value& request) {
  ASSIGN_OR_RETURN(const std::string answer,
                   curl({"--data", json::print(request),
                         fmt::format("http://127.0.0.1:{}{}", etcd_port_, path)}));
  return json::parse(answer);
}

// As the administrator, where the other side asks who it is.
Result<std::string> Server::curl(std::vector<std::string> arguments) {
  const fs::path pki = folder_ / "pki";
  const fs::path answer = folder_ / "answer";
  std::vector<std::string> command = {
      "curl",     "--silent",     "--fail", "--max-time",      "10",    "--output",       answer,
      "--cacert", pki / "ca.crt", "--cert", pki / "admin.crt", "--key", pki / "admin.key"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  RETURN_IF_ERROR(run(command));
  return contents(answer);
}

Status Server::restart() {
  apiserver_.stop();
  const bool is_hub = options_.kind == ServerKind::EmbeddedHub;
  return is_hub ? start_berth_hub(options_.flags) : start_kube_apiserver();
}

// Anybody may ask that. Who brings a certificate of his own checks it himself.
Status Server::wait_until_ready() {
  std::vector<std::string> probe = {"curl", "--silent", "--fail", "--max-time", "5"};
  if (std::ranges::find(options_.flags, "--tls-cert-file") != options_.flags.end()) {
    probe.push_back("--insecure");
  } else {
    probe.insert(probe.end(), {"--cacert", folder_ / "pki" / "ca.crt"});
  }
  probe.push_back(url() + "/readyz");
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (run(probe).ok()) return {};
    const bool needs_etcd = options_.kind == ServerKind::KubeApiserver;
    if (!apiserver_.running() || (needs_etcd && !etcd_.running())) {
      return failure(Code::ServiceUnavailable,
                     "the server died:\n" + tail_of("apiserver.log") + tail_of("etcd.log"));
    }
    std::this_thread::sleep_for(kPause);
  }
  return failure(Code::Timeout, "the server did not get ready:\n" + tail_of("apiserver.log"));
}

std::string Server::tail_of(std::string_view log) const {
  constexpr std::size_t kBytes = 4000;
  const std::string text = contents(folder_ / log);
  return text.substr(text.size() > kBytes ? text.size() - kBytes : 0);
}

}  // namespace berth::kube
