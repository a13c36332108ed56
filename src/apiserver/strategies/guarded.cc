#include "apiserver/strategies/guarded.h"

#include <utility>

#include "api/metadata.h"
#include "apiserver/guards/guard.h"

namespace berth::apiserver {
namespace {

std::string namespace_phase(const View& view, std::string_view name) {
  const auto found = view.find("namespaces", name);
  const json::Value* phase = found ? found->find_path({"status", "phase"}) : nullptr;
  return phase ? std::string(phase->string_or_empty()) : std::string();
}

Attempt<void> admit(json::Value& object, const json::Value* old, const Occasion& occasion) {
  if (!occasion.subresource.empty()) return {};
  const Authorizer authorizer = [&occasion](const User& user, const Attributes& attributes) {
    return occasion.view.rbac->allows(user, attributes);
  };
  const std::string phase = namespace_phase(occasion.view, api::Metadata(object).name());
  ASSIGN_OR_RETURN(object, guarded(occasion.resource.gvr.group, occasion.resource.gvr.resource,
                                   {.before = old,
                                    .user = occasion.user,
                                    .authorizer = authorizer,
                                    .namespace_phase = phase,
                                    .now = occasion.view.now},
                                   std::move(object)));
  return {};
}

}  // namespace

std::map<std::string, Strategy, std::less<>> guarded_strategies() {
  std::map<std::string, Strategy, std::less<>> all;
  for (const char* resource : {"managedclusters", "managedclustersetbindings"}) {
    all[std::string(resource) + "." + std::string(kClusterGroup)] = {.admit = admit};
  }
  return all;
}

}  // namespace berth::apiserver
