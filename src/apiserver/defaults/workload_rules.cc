// Defaults of pods and of everything that makes pods.

#include <utility>

#include "apiserver/defaults/groups.h"
#include "apiserver/defaults/kind_rules.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr Inclusion kInTemplated[] = {{"template", &kPodTemplateRules}};
constexpr DefaultRule kStatusOnly[] = {{"status", kEmptyObject}};

// Pods themselves, not their templates.

// What is limited but not asked for is asked for up to the limit.
Value with_requests(Value resources) {
  const Value* limits = resources.find("limits");
  if (!limits || limits->size() == 0) return resources;
  const Value copy = *limits;
  Value* requests = object_under(resources, "requests");
  for (const json::Member& limit : copy.members()) {
    if (requests && !requests->find(limit.name())) (*requests)[limit.name()] = limit.value;
  }
  return resources;
}
constexpr RuleGroup kRequestRules = {.adjust = with_requests};

constexpr DefaultRule kHostPort[] = {
    {.member = "hostPort", .value = copy_of("containerPort"), .zero = Zero::IsMissing}};
constexpr RuleGroup kHostPortRules = {.rules = kHostPort};
constexpr Inclusion kInHostNetwork[] = {{"containers[].ports[]", &kHostPortRules},
                                        {"initContainers[].ports[]", &kHostPortRules}};
constexpr RuleGroup kHostNetworkRules = {.includes = kInHostNetwork};

Value with_host_ports(Value spec) {
  const Value* host_network = spec.find("hostNetwork");
  const bool is_on_host = host_network && host_network->as_bool().value_or(false);
  return is_on_host ? apply_rules(kHostNetworkRules, std::move(spec)) : spec;
}
constexpr DefaultRule kRunningSpec[] = {{"enableServiceLinks", true}};
constexpr Inclusion kInRunningSpec[] = {{"containers[].resources", &kRequestRules},
                                        {"initContainers[].resources", &kRequestRules}};
constexpr RuleGroup kRunningSpecRules = {
    .rules = kRunningSpec, .includes = kInRunningSpec, .adjust = with_host_ports};
constexpr DefaultRule kContainerStatus[] = {{"state", kEmptyObject}, {"lastState", kEmptyObject},
                                            {"ready", false},        {"restartCount", 0},
                                            {"image", ""},           {"imageID", ""}};
constexpr RuleGroup kContainerStatusRules = {.rules = kContainerStatus};
constexpr DefaultRule kPod[] = {{"spec", kEmptyObject}, {"status", kEmptyObject}};
constexpr Inclusion kInPod[] = {{"spec", &kPodSpecRules},
                                {"spec", &kRunningSpecRules},
                                {"status.containerStatuses[]", &kContainerStatusRules},
                                {"status.initContainerStatuses[]", &kContainerStatusRules},
                                {"status.ephemeralContainerStatuses[]", &kContainerStatusRules}};
constexpr RuleGroup kPodRules = {.rules = kPod, .includes = kInPod};

constexpr DefaultRule kTemplated[] = {{"template", kEmptyObject}};
constexpr RuleGroup kPodTemplateKindRules = {.rules = kTemplated, .includes = kInTemplated};

constexpr DefaultRule kReplicas[] = {{"replicas", 1}};
constexpr RuleGroup kReplicasSpecRules = {.rules = kReplicas, .includes = kInTemplated};
constexpr DefaultRule kNoReplicas[] = {{"replicas", 0}};
constexpr RuleGroup kNoReplicasRules = {.rules = kNoReplicas};
constexpr Inclusion kInReplicaSet[] = {{"spec", &kReplicasSpecRules},
                                       {"status", &kNoReplicasRules}};
constexpr RuleGroup kReplicaSetRules = {.rules = kPod, .includes = kInReplicaSet};

// Whatever has no labels of its own has those of its pods.
Value with_template_labels(Value object) {
  const Value* labels = object.find_path({"spec", "template", "metadata", "labels"});
  if (!labels || labels->size() == 0) return object;
  const Value copy = *labels;
  Value* metadata = object_under(object, "metadata");
  if (metadata && (*metadata)["labels"].size() == 0) (*metadata)["labels"] = copy;
  return object;
}

Value with_template_selector(Value controller) {
  const Value* labels = controller.find_path({"spec", "template", "metadata", "labels"});
  if (!labels || labels->size() == 0) return with_template_labels(std::move(controller));
  const Value copy = *labels;
  Value& selector = controller["spec"]["selector"];
  if (selector.size() == 0) selector = copy;
  return with_template_labels(std::move(controller));
}
constexpr RuleGroup kReplicationControllerRules = {
    .rules = kPod, .includes = kInReplicaSet, .adjust = with_template_selector};

constexpr DefaultRule kDeploymentUpdate[] = {{"maxUnavailable", "25%"}, {"maxSurge", "25%"}};
constexpr RuleGroup kDeploymentUpdateRules = {.rules = kDeploymentUpdate};
constexpr DefaultRule kStrategy[] = {
    {"type", "RollingUpdate"}, {"rollingUpdate", kEmptyObject, if_equals("type", "RollingUpdate")}};
constexpr Inclusion kInDeploymentStrategy[] = {{"rollingUpdate", &kDeploymentUpdateRules}};
constexpr RuleGroup kDeploymentStrategyRules = {.rules = kStrategy,
                                                .includes = kInDeploymentStrategy};
constexpr DefaultRule kDeploymentSpec[] = {{"replicas", 1},
                                           {"strategy", kEmptyObject},
                                           {"revisionHistoryLimit", 10},
                                           {"progressDeadlineSeconds", 600}};
constexpr Inclusion kInDeploymentSpec[] = {{"template", &kPodTemplateRules},
                                           {"strategy", &kDeploymentStrategyRules}};
constexpr RuleGroup kDeploymentSpecRules = {.rules = kDeploymentSpec,
                                            .includes = kInDeploymentSpec};
constexpr Inclusion kInDeployment[] = {{"spec", &kDeploymentSpecRules}};
constexpr RuleGroup kDeploymentRules = {.rules = kPod, .includes = kInDeployment};

constexpr DefaultRule kDaemonUpdate[] = {{"maxUnavailable", 1}, {"maxSurge", 0}};
constexpr RuleGroup kDaemonUpdateRules = {.rules = kDaemonUpdate};
constexpr Inclusion kInDaemonStrategy[] = {{"rollingUpdate", &kDaemonUpdateRules}};
constexpr RuleGroup kDaemonStrategyRules = {.rules = kStrategy, .includes = kInDaemonStrategy};
constexpr DefaultRule kDaemonSpec[] = {{"updateStrategy", kEmptyObject},
                                       {"revisionHistoryLimit", 10}};
constexpr Inclusion kInDaemonSpec[] = {{"template", &kPodTemplateRules},
                                       {"updateStrategy", &kDaemonStrategyRules}};
constexpr RuleGroup kDaemonSpecRules = {.rules = kDaemonSpec, .includes = kInDaemonSpec};
constexpr DefaultRule kDaemonStatus[] = {{"currentNumberScheduled", 0},
                                         {"numberMisscheduled", 0},
                                         {"desiredNumberScheduled", 0},
                                         {"numberReady", 0}};
constexpr RuleGroup kDaemonStatusRules = {.rules = kDaemonStatus};
constexpr Inclusion kInDaemonSet[] = {{"spec", &kDaemonSpecRules}, {"status", &kDaemonStatusRules}};
constexpr RuleGroup kDaemonSetRules = {.rules = kPod, .includes = kInDaemonSet};

constexpr DefaultRule kStatefulUpdate[] = {{"partition", 0}};
constexpr RuleGroup kStatefulUpdateRules = {.rules = kStatefulUpdate};
// Whoever names the type is not given the rest.
constexpr DefaultRule kStatefulStrategy[] = {{"rollingUpdate", kEmptyObject, if_missing("type")},
                                             {"type", "RollingUpdate"}};
constexpr Inclusion kInStatefulStrategy[] = {{"rollingUpdate", &kStatefulUpdateRules}};
constexpr RuleGroup kStatefulStrategyRules = {.rules = kStatefulStrategy,
                                              .includes = kInStatefulStrategy};
constexpr DefaultRule kRetention[] = {{"whenDeleted", "Retain"}, {"whenScaled", "Retain"}};
constexpr RuleGroup kRetentionRules = {.rules = kRetention};
constexpr DefaultRule kClaimKind[] = {{"apiVersion", "v1"}, {"kind", "PersistentVolumeClaim"}};
constexpr RuleGroup kClaimKindRules = {.rules = kClaimKind};
constexpr DefaultRule kStatefulSpec[] = {{"podManagementPolicy", "OrderedReady"},
                                         {"serviceName", ""},
                                         {"updateStrategy", kEmptyObject},
                                         {"persistentVolumeClaimRetentionPolicy", kEmptyObject},
                                         {"replicas", 1},
                                         {"revisionHistoryLimit", 10}};
constexpr Inclusion kInStatefulSpec[] = {{"template", &kPodTemplateRules},
                                         {"updateStrategy", &kStatefulStrategyRules},
                                         {"persistentVolumeClaimRetentionPolicy", &kRetentionRules},
                                         {"volumeClaimTemplates[]", &kVolumeClaimRules},
                                         {"volumeClaimTemplates[]", &kClaimKindRules}};
constexpr RuleGroup kStatefulSpecRules = {.rules = kStatefulSpec, .includes = kInStatefulSpec};
constexpr DefaultRule kStatefulStatus[] = {{"replicas", 0}, {"availableReplicas", 0}};
constexpr RuleGroup kStatefulStatusRules = {.rules = kStatefulStatus};
constexpr Inclusion kInStatefulSet[] = {{"spec", &kStatefulSpecRules},
                                        {"status", &kStatefulStatusRules}};
constexpr RuleGroup kStatefulSetRules = {.rules = kPod, .includes = kInStatefulSet};

constexpr DefaultRule kFailurePattern[] = {{"status", "True"}};
constexpr RuleGroup kFailurePatternRules = {.rules = kFailurePattern};
constexpr DefaultRule kJobSpec[] = {
    {"completions", 1, if_missing("parallelism")},
    {"parallelism", 1},
    {"backoffLimit", 2147483647, if_present("backoffLimitPerIndex")},
    {"backoffLimit", 6},
    {"completionMode", "NonIndexed"},
    {"suspend", false},
    {"podReplacementPolicy", "Failed", if_present("podFailurePolicy")},
    {"podReplacementPolicy", "TerminatingOrFailed"},
    {"manualSelector", false}};
constexpr Inclusion kInJobSpec[] = {
    {"template", &kPodTemplateRules},
    {"podFailurePolicy.rules[].onPodConditions[]", &kFailurePatternRules}};
constexpr RuleGroup kJobSpecRules = {.rules = kJobSpec, .includes = kInJobSpec};

constexpr Inclusion kInJob[] = {{"spec", &kJobSpecRules}};
constexpr RuleGroup kJobRules = {.rules = kPod, .includes = kInJob, .adjust = with_template_labels};

// A template of jobs gets the defaults of its pods, not those of a job.
constexpr DefaultRule kJobTemplate[] = {{"metadata", kEmptyObject}};
constexpr Inclusion kInJobTemplate[] = {
    {"spec.template", &kPodTemplateRules},
    {"spec.podFailurePolicy.rules[].onPodConditions[]", &kFailurePatternRules}};
constexpr RuleGroup kJobTemplateRules = {.rules = kJobTemplate, .includes = kInJobTemplate};
constexpr DefaultRule kCronSpec[] = {{"concurrencyPolicy", "Allow"},
                                     {"suspend", false},
                                     {"successfulJobsHistoryLimit", 3},
                                     {"failedJobsHistoryLimit", 1}};
constexpr Inclusion kInCronSpec[] = {{"jobTemplate", &kJobTemplateRules}};
constexpr RuleGroup kCronSpecRules = {.rules = kCronSpec, .includes = kInCronSpec};
constexpr Inclusion kInCronJob[] = {{"spec", &kCronSpecRules}};
constexpr RuleGroup kCronJobRules = {.rules = kStatusOnly, .includes = kInCronJob};

constexpr DefaultRule kRevision[] = {{"revision", 0}};
constexpr RuleGroup kRevisionRules = {.rules = kRevision};

constexpr KindRules kKinds[] = {
    {"", "Pod", &kPodRules},
    {"", "PodTemplate", &kPodTemplateKindRules},
    {"", "ReplicationController", &kReplicationControllerRules},
    {"apps", "ReplicaSet", &kReplicaSetRules},
    {"apps", "Deployment", &kDeploymentRules},
    {"apps", "DaemonSet", &kDaemonSetRules},
    {"apps", "StatefulSet", &kStatefulSetRules},
    {"apps", "ControllerRevision", &kRevisionRules},
    {"batch", "Job", &kJobRules},
    {"batch", "CronJob", &kCronJobRules},
};

}  // namespace

std::span<const KindRules> workload_rules() { return kKinds; }

}  // namespace berth::apiserver
