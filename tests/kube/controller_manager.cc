#include "kube/controller_manager.h"

#include <cstdlib>
#include <filesystem>

namespace berth::kube {
namespace {

const char* program() { return std::getenv("BERTH_KUBE_CONTROLLER_MANAGER"); }

}  // namespace

bool has_controller_manager(const Server& server) {
  return server.kind() == ServerKind::KubeApiserver && program() && *program();
}

Result<Child> start_controller_manager(const Server& server, const std::string& controllers) {
  const std::filesystem::path pki = server.folder() / "pki";
  return Child::start(
      {program(), "--kubeconfig=" + server.kubeconfig().string(), "--controllers=" + controllers,
       "--leader-elect=false", "--secure-port=0", "--root-ca-file=" + (pki / "ca.crt").string(),
       "--service-account-private-key-file=" + (pki / "service-accounts.key").string(),
       "--cluster-signing-cert-file=" + (pki / "ca.crt").string(),
       "--cluster-signing-key-file=" + (pki / "ca.key").string(), "--cluster-signing-duration=1h"},
      server.folder() / "controller-manager.log");
}

}  // namespace berth::kube
