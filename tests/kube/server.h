// The API server under test: a real kube-apiserver with etcd, on free loopback ports, with TLS,
// RBAC and client certificates.

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

struct ServerOptions {
  std::vector<std::string> flags = {};  // Further flags of kube-apiserver.
};

struct UserOptions {
  std::string name;
  std::string group = "system:masters";
  int certificate_seconds = 3600;
};

class Server {
 public:
  // Ready to serve when it returns. Finds the binaries through $BERTH_KUBE_APISERVER and
  // $BERTH_ETCD.
  static Result<std::unique_ptr<Server>> start(ServerOptions options = {});
  ~Server();

  // A kubeconfig file for the administrator, and one for any other user.
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  Result<std::filesystem::path> kubeconfig_for(const UserOptions& user);

  const std::filesystem::path& folder() const { return folder_; }
  std::string url() const;
  Child& process() { return apiserver_; }

  // Asks etcd itself, through its JSON gateway: for changes that no API server knows of, and for
  // what no API server does. The answer.
  Result<json::Value> etcd(std::string_view path, const json::Value& request);

  // Forgets all history before now, and moves on by one revision.
  Status compact();

  // The same port and data again after process().kill() or stop().
  Status restart();

 private:
  Server() = default;
  Status start_etcd();
  Status start_apiserver();
  Status wait_until_ready();
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
