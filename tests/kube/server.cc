#include "kube/server.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "base/base64.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

constexpr auto kPatience = std::chrono::seconds(120);

Result<std::string> program(const char* variable) {
  const char* path = std::getenv(variable);
  if (path && *path) return std::string(path);
  return failure(Code::NotFound,
                 fmt::format("${} is not set: run the tests with make test-kube", variable));
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  std::unique_ptr<Server> server(new Server);
  server->options_ = std::move(options);
  std::string pattern = (fs::temp_directory_path() / "berth-kube-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) return failure(Code::InternalError, "cannot make a folder");
  server->folder_ = pattern;
  server->etcd_port_ = free_port();
  server->port_ = free_port();
  RETURN_IF_ERROR(run({BERTH_PKI, (server->folder_ / "pki").string()}));
  ASSIGN_OR_RETURN(server->kubeconfig_, server->kubeconfig_for({.name = "admin"}));
  RETURN_IF_ERROR(server->start_etcd());
  RETURN_IF_ERROR(server->start_apiserver());
  return server;
}

Server::~Server() {
  apiserver_.stop();
  etcd_.stop();
  std::error_code ignored;
  if (!std::getenv("BERTH_KEEP")) fs::remove_all(folder_, ignored);
}

std::string Server::url() const { return fmt::format("https://127.0.0.1:{}", port_); }

Result<fs::path> Server::kubeconfig_for(const UserOptions& user) {
  const fs::path pki = folder_ / "pki";
  RETURN_IF_ERROR(run(
      {BERTH_PKI, pki.string(), user.name, user.group, std::to_string(user.certificate_seconds)}));
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

Status Server::start_apiserver() {
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
  command.insert(command.end(), options_.flags.begin(), options_.flags.end());
  ASSIGN_OR_RETURN(apiserver_, Child::start(command, folder_ / "kube-apiserver.log"));
  return wait_until_ready();
}

Result<json::Value> Server::etcd(std::string_view path, const json::Value& request) {
  const fs::path answer = folder_ / "etcd-answer.json";
  RETURN_IF_ERROR(
      run({"curl", "--silent", "--fail", "--max-time", "10", "--output", answer.string(), "--data",
           json::print(request), fmt::format("http://127.0.0.1:{}{}", etcd_port_, path)}));
  std::ifstream file(answer);
  return json::parse(
      std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

Status Server::compact() {
  ASSIGN_OR_RETURN(const json::Value put,
                   etcd("/v3/kv/put", json::Value::object({{"key", encode_base64("moved-on")},
                                                           {"value", encode_base64("x")}})));
  const json::Value* revision = put.find_path({"header", "revision"});
  if (!revision) return failure(Code::InternalError, "etcd did not say its revision");
  RETURN_IF_ERROR(etcd("/v3/kv/compaction",
                       json::Value::object({{"revision", *revision}, {"physical", true}})));
  return {};
}

Status Server::restart() {
  apiserver_.stop();
  return start_apiserver();
}

Status Server::wait_until_ready() {
  const fs::path pki = folder_ / "pki";
  const std::vector<std::string> probe = {"curl",
                                          "--silent",
                                          "--fail",
                                          "--max-time",
                                          "5",
                                          "--cacert",
                                          (pki / "ca.crt").string(),
                                          "--cert",
                                          (pki / "admin.crt").string(),
                                          "--key",
                                          (pki / "admin.key").string(),
                                          url() + "/readyz"};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (run(probe).ok()) return {};
    if (!apiserver_.running() || !etcd_.running()) {
      return failure(Code::ServiceUnavailable,
                     "the server died:\n" + tail_of("kube-apiserver.log") + tail_of("etcd.log"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return failure(Code::Timeout, "the server did not get ready:\n" + tail_of("kube-apiserver.log"));
}

std::string Server::tail_of(std::string_view log) const {
  constexpr std::size_t kBytes = 4000;
  std::ifstream file(folder_ / log);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return text.substr(text.size() > kBytes ? text.size() - kBytes : 0);
}

}  // namespace berth::kube
