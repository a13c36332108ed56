#include "apiserver/strategies/validated.h"

#include <utility>

#include "apiserver/validation/claims.h"
#include "apiserver/validation/jobs.h"
#include "apiserver/validation/pod_spec.h"
#include "apiserver/validation/policies.h"
#include "apiserver/validation/role_objects.h"
#include "apiserver/validation/services.h"
#include "apiserver/validation/workloads.h"

namespace berth::apiserver {
namespace {

using Validator = std::vector<Cause> (*)(const json::Value& object, const json::Value* old);

template <Validator kValidator>
std::vector<Cause> check(const json::Value& object, const json::Value* old,
                         const Occasion& occasion) {
  if (occasion.subresource == "status") return {};
  return kValidator(object, old);
}

}  // namespace

std::map<std::string_view, Check> validators() {
  return {{"pods", check<validate_pod>},
          {"podtemplates", check<validate_pod_template>},
          {"deployments.apps", check<validate_deployment>},
          {"replicasets.apps", check<validate_replica_set>},
          {"statefulsets.apps", check<validate_stateful_set>},
          {"daemonsets.apps", check<validate_daemon_set>},
          {"jobs.batch", check<validate_job>},
          {"cronjobs.batch", check<validate_cron_job>},
          {"services", check<validate_service>},
          {"persistentvolumeclaims", check<validate_claim>},
          {"poddisruptionbudgets.policy", check<validate_disruption_budget>},
          {"priorityclasses.scheduling.k8s.io", check<validate_priority_class>},
          {"roles.rbac.authorization.k8s.io", check<validate_role>},
          {"clusterroles.rbac.authorization.k8s.io", check<validate_cluster_role>},
          {"rolebindings.rbac.authorization.k8s.io", check<validate_role_binding>},
          {"clusterrolebindings.rbac.authorization.k8s.io", check<validate_cluster_role_binding>}};
}

Attempt<void> select_own_pods(json::Value& job, const json::Value* old,
                              const Occasion& /*occasion*/) {
  if (!old) job = with_job_selector(std::move(job));
  return {};
}

}  // namespace berth::apiserver
