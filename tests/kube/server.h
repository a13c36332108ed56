// The API server under test, on free loopback ports, with TLS, RBAC and client certificates: a real
// kube-apiserver with etcd, or Berth's embedded hub where $BERTH_TEST_HUB says "embedded".

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "kube/child.h"

namespace berth::kube {

enum class ServerKind { KubeApiserver, EmbeddedHub };

// What $BERTH_TEST_HUB says.
ServerKind server_kind();

struct ServerOptions {
  ServerKind kind = server_kind();
  std::vector<std::string> flags = {};  // Further ones of kube-apiserver or of berth hub.
  std::string controllers = "none";     // Of Berth's, inside the embedded hub.
  // Of an etcd that has ended; the server's own begins with a copy of it.
  std::filesystem::path etcd_data = {};
};

struct UserOptions {
  std::string name;
  std::string group = "system:masters";
  int certificate_seconds = 3600;
};

class Server {
 public:
  // Ready to serve when it returns. Finds the binaries of the real one through
  // $BERTH_KUBE_APISERVER and $BERTH_ETCD.
  static Result<std::unique_ptr<Server>> start(ServerOptions options = {});
  ~Server();

  // A kubeconfig file for the administrator, and one for any other user.
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  Result<std::filesystem::path> kubeconfig_for(const UserOptions& user);

  ServerKind kind() const { return options_.kind; }
  const std::filesystem::path& folder() const { return folder_; }
  std::string url() const;
  Child& process() { return apiserver_; }

  // While the server is down: the ConfigMap is gone, and no history is left that tells of it or of
  // anything before.
  Status forget_config_map(const std::string& name);

  // What its etcd keeps, for others to begin with; both have ended then.
  Result<std::filesystem::path> etcd_data();

  // The same port and data again after process().kill() or stop().
  Status restart();

 private:
  Server() = default;
  Status start_kube();
  Status start_hub();
  Status start_etcd();
  Status start_kube_apiserver();
  Status start_berth_hub(const std::vector<std::string>& flags);
  Status wait_until_ready();
  Status forget_in_etcd(const std::string& name);
  Status forget_on_hub(const std::string& name);
  Result<json::Value> etcd(std::string_view path, const json::Value& request);
  Result<std::string> curl(std::vector<std::string> arguments);
  std::string tail_of(std::string_view log) const;

  ServerOptions options_;
  std::filesystem::path folder_;
  std::filesystem::path kubeconfig_;
  int etcd_port_ = 0;
  int port_ = 0;
  Child etcd_;
  Child apiserver_;
};

}  // namespace berth::kube
