#include "kube/server_kinds.h"

namespace berth::kube {

std::vector<ServerKind> client_servers() { return {server_kind()}; }

std::string name_of(ServerKind kind) {
  return kind == ServerKind::EmbeddedHub ? "EmbeddedHub" : "KubeApiserver";
}

}  // namespace berth::kube
