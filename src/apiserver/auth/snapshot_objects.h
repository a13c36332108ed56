// What authentication and authorization read of a snapshot.

#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/auth/token_objects.h"
#include "store/snapshot.h"

namespace berth::apiserver {

// The objects that tokens are about.
class SnapshotObjects final : public TokenObjects {
 public:
  explicit SnapshotObjects(store::SnapshotPtr snapshot) : snapshot_(std::move(snapshot)) {}

  std::optional<json::Value> find(TokenObject kind, std::string_view ns,
                                  std::string_view name) const override;

 private:
  store::SnapshotPtr snapshot_;
};

inline constexpr std::array<std::string_view, 4> kRbacTables = {
    "roles.rbac.authorization.k8s.io", "clusterroles.rbac.authorization.k8s.io",
    "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io"};

// All roles and bindings.
std::vector<json::Value> rbac_objects(const store::Snapshot& snapshot);

}  // namespace berth::apiserver
