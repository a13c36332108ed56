#include "apiserver/auth/followed_rbac.h"

#include <string_view>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

// In the order of kRbacTables.
constexpr RbacKind kKinds[] = {RbacKind::Role, RbacKind::ClusterRole, RbacKind::RoleBinding,
                               RbacKind::ClusterRoleBinding};
static_assert(std::size(kKinds) == kRbacTables.size());

}  // namespace

void FollowedRbac::follow(const store::Snapshot& snapshot) {
  // Somebody may still look at the one there is.
  const bool is_own = rbac_.use_count() == 1;
  for (std::size_t i = 0; i < kRbacTables.size(); ++i) {
    const store::Table& table = snapshot.table(kRbacTables[i]);
    const bool has_changed = tables_[i].revision() != table.revision();
    if (rbac_ && !has_changed) continue;
    if (!is_own) {
      rbac_ = std::make_shared<Rbac>(rbac_objects(snapshot));
      for (std::size_t j = 0; j < kRbacTables.size(); ++j) {
        tables_[j] = snapshot.table(kRbacTables[j]);
      }
      return;
    }
    table.visit_changes_since(
        tables_[i], [&](std::string_view key, const store::EntryPtr&, const store::EntryPtr& now) {
          const auto object = now ? json::parse(now->text) : Result<json::Value>(json::Value());
          if (now && object.ok()) return rbac_->put(kKinds[i], *object);
          const std::size_t slash = key.find('/');
          const bool has_namespace = slash != key.npos;
          rbac_->remove(kKinds[i], has_namespace ? key.substr(0, slash) : std::string_view(),
                        has_namespace ? key.substr(slash + 1) : key);
        });
    tables_[i] = table;
  }
}

}  // namespace berth::apiserver
