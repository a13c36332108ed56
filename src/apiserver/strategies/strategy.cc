#include "apiserver/strategies/strategy.h"

#include <map>
#include <string>

#include "apiserver/strategies/certificates.h"
#include "apiserver/strategies/definitions.h"
#include "apiserver/strategies/events.h"
#include "apiserver/strategies/guarded.h"
#include "apiserver/strategies/leases.h"
#include "apiserver/strategies/namespaces.h"
#include "apiserver/strategies/pods.h"
#include "apiserver/strategies/roles.h"
#include "apiserver/strategies/secrets.h"
#include "apiserver/strategies/validated.h"
#include "base/check.h"

namespace berth::apiserver {
namespace {

using Strategies = std::map<std::string, Strategy, std::less<>>;

Strategies builtin_strategies() {
  Strategies all;
  all["namespaces"] = namespace_strategy();
  all["pods"] = pod_strategy();
  all["secrets"] = secret_strategy();
  all["configmaps"] = config_map_strategy();
  all["customresourcedefinitions.apiextensions.k8s.io"] = definition_strategy();
  all["certificatesigningrequests.certificates.k8s.io"] = certificate_strategy();
  for (const std::string_view kind :
       {"roles", "clusterroles", "rolebindings", "clusterrolebindings"}) {
    all[std::string(kind) + ".rbac.authorization.k8s.io"] = role_strategy();
  }
  all["leases.coordination.k8s.io"] = lease_strategy();
  all["events"] = event_strategy();
  all["services"] = {.name_rule = NameRule::ServiceName, .creates_on_update = true};
  all["nodes"] = {.keeps_first_status = true};
  all["persistentvolumes"] = {.keeps_first_status = false};
  for (const char* table : {"endpoints", "limitranges"}) {
    all[table] = {.creates_on_update = true};
  }
  for (const char* table :
       {"podtemplates", "deployments.apps", "replicasets.apps", "statefulsets.apps",
        "daemonsets.apps", "jobs.batch", "cronjobs.batch", "priorityclasses.scheduling.k8s.io",
        "endpointslices.discovery.k8s.io", "poddisruptionbudgets.policy"}) {
    all[table] = {.counts_generations = true};
  }
  all["poddisruptionbudgets.policy"].takes_any_version = false;
  all["statefulsets.apps"].name_rule = NameRule::Label;
  all["jobs.batch"].admit = select_own_pods;
  for (const auto& [table, check] : validators()) {
    Strategy& strategy = all[std::string(table)];
    CHECK(!strategy.check);
    strategy.check = check;
  }
  return all;
}

Strategies custom_strategies() {
  Strategies all = guarded_strategies();
  for (auto& [table, strategy] : all) {
    strategy.takes_any_version = false;
    strategy.counts_generations = true;
  }
  return all;
}

}  // namespace

const Strategy& strategy_of(const Resource& resource) {
  static const Strategies kBuiltin = builtin_strategies();
  static const Strategies kCustom = custom_strategies();
  static const Strategy kPlain = {};
  static const Strategy kPlainCustom = {.takes_any_version = false, .counts_generations = true};
  const Strategies& known = resource.custom ? kCustom : kBuiltin;
  const auto found = known.find(resource.table);
  if (found != known.end()) return found->second;
  return resource.custom ? kPlainCustom : kPlain;
}

}  // namespace berth::apiserver
