// Rbac as the newest snapshot has it: following a snapshot costs what has changed since the last.

#pragma once

#include <array>
#include <memory>

#include "apiserver/auth/rbac.h"
#include "apiserver/auth/snapshot_objects.h"
#include "store/snapshot.h"

namespace berth::apiserver {

class FollowedRbac {
 public:
  void follow(const store::Snapshot& snapshot);

  // Whoever keeps it keeps it as it is now. Not before the first follow().
  std::shared_ptr<const Rbac> current() const { return rbac_; }

 private:
  std::shared_ptr<Rbac> rbac_;
  std::array<store::Table, kRbacTables.size()> tables_ = {};  // What rbac_ was made of.
};

}  // namespace berth::apiserver
