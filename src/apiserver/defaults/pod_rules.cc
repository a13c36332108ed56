// Defaults of pod specs and pod templates.

#include <string_view>
#include <utility>

#include "apiserver/defaults/groups.h"
#include "apiserver/defaults/image_tag.h"
#include "apiserver/defaults/quantities.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr DefaultRule kHttpGet[] = {{"path", "/"}, {"scheme", "HTTP"}};
constexpr RuleGroup kHttpGetRules = {.rules = kHttpGet};
constexpr DefaultRule kGrpc[] = {{"service", ""}};
constexpr RuleGroup kGrpcRules = {.rules = kGrpc};

constexpr DefaultRule kProbe[] = {
    {.member = "timeoutSeconds", .value = 1, .zero = Zero::IsMissing},
    {.member = "periodSeconds", .value = 10, .zero = Zero::IsMissing},
    {.member = "successThreshold", .value = 1, .zero = Zero::IsMissing},
    {.member = "failureThreshold", .value = 3, .zero = Zero::IsMissing}};
constexpr Inclusion kInProbe[] = {{"httpGet", &kHttpGetRules}, {"grpc", &kGrpcRules}};
constexpr RuleGroup kProbeRules = {.rules = kProbe, .includes = kInProbe};

constexpr DefaultRule kPort[] = {{"protocol", "TCP"}};
constexpr RuleGroup kPortRules = {.rules = kPort};

constexpr DefaultRule kFieldRef[] = {{"apiVersion", "v1"}};
constexpr RuleGroup kFieldRefRules = {.rules = kFieldRef};
constexpr DefaultRule kFileKeyRef[] = {{"optional", false}};
constexpr RuleGroup kFileKeyRefRules = {.rules = kFileKeyRef};

Value with_divisor(Value selector) {
  Value& divisor = selector["divisor"];
  divisor = is_missing(&divisor) ? Value("0") : canonical_quantity(std::move(divisor));
  return selector;
}
constexpr RuleGroup kResourceFieldRules = {.adjust = with_divisor};

constexpr Inclusion kInFieldFile[] = {{"fieldRef", &kFieldRefRules},
                                      {"resourceFieldRef", &kResourceFieldRules}};
constexpr RuleGroup kFieldFileRules = {.includes = kInFieldFile};

Value with_pull_policy(Value container) {
  Value& policy = container["imagePullPolicy"];
  if (is_missing(&policy)) policy = default_pull_policy(container.find("image"));
  return container;
}

constexpr RuleGroup kResourceRules = {.adjust = canonical_resources};

constexpr DefaultRule kContainer[] = {{"resources", kEmptyObject},
                                      {"terminationMessagePath", "/dev/termination-log"},
                                      {"terminationMessagePolicy", "File"}};
constexpr Inclusion kInContainer[] = {{"ports[]", &kPortRules},
                                      {"env[].valueFrom.fieldRef", &kFieldRefRules},
                                      {"env[].valueFrom.resourceFieldRef", &kResourceFieldRules},
                                      {"env[].valueFrom.fileKeyRef", &kFileKeyRefRules},
                                      {"livenessProbe", &kProbeRules},
                                      {"readinessProbe", &kProbeRules},
                                      {"startupProbe", &kProbeRules},
                                      {"lifecycle.postStart.httpGet", &kHttpGetRules},
                                      {"lifecycle.preStop.httpGet", &kHttpGetRules},
                                      {"resources", &kResourceRules}};
constexpr RuleGroup kContainerRules = {
    .rules = kContainer, .includes = kInContainer, .adjust = with_pull_policy};

constexpr DefaultRule kModes[] = {{"defaultMode", 0644}};
constexpr RuleGroup kModeRules = {.rules = kModes};
constexpr Inclusion kInDownward[] = {{"items[]", &kFieldFileRules}};
constexpr RuleGroup kDownwardRules = {.rules = kModes, .includes = kInDownward};
constexpr DefaultRule kToken[] = {{"expirationSeconds", 3600}};
constexpr RuleGroup kTokenRules = {.rules = kToken};
constexpr Inclusion kInProjected[] = {{"sources[].serviceAccountToken", &kTokenRules},
                                      {"sources[].downwardAPI.items[]", &kFieldFileRules}};
constexpr RuleGroup kProjectedRules = {.rules = kModes, .includes = kInProjected};

Value with_size_limit(Value empty_dir) {
  if (Value* limit = empty_dir.find("sizeLimit")) *limit = canonical_quantity(std::move(*limit));
  return empty_dir;
}
constexpr RuleGroup kEmptyDirRules = {.adjust = with_size_limit};

Value with_image_policy(Value image) {
  Value& policy = image["pullPolicy"];
  if (is_missing(&policy)) policy = default_pull_policy(image.find("reference"));
  return image;
}
constexpr RuleGroup kImageVolumeRules = {.adjust = with_image_policy};

constexpr DefaultRule kClaimTemplate[] = {{"metadata", kEmptyObject}, {"spec", kEmptyObject}};
constexpr Inclusion kInClaimTemplate[] = {{"spec", &kClaimSpecRules}};
constexpr RuleGroup kClaimTemplateRules = {.rules = kClaimTemplate, .includes = kInClaimTemplate};

// A volume that says nothing is an empty directory.
Value with_source(Value volume) {
  if (volume.size() == 1 && volume.find("name")) volume["emptyDir"] = Value::object();
  return volume;
}
constexpr Inclusion kInVolume[] = {{"secret", &kModeRules},
                                   {"configMap", &kModeRules},
                                   {"downwardAPI", &kDownwardRules},
                                   {"projected", &kProjectedRules},
                                   {"emptyDir", &kEmptyDirRules},
                                   {"image", &kImageVolumeRules},
                                   {"ephemeral.volumeClaimTemplate", &kClaimTemplateRules}};
constexpr RuleGroup kOwnVolumeRules = {.includes = kInVolume, .adjust = with_source};

Value with_overhead(Value spec) {
  if (Value* overhead = spec.find("overhead")) {
    *overhead = canonical_quantities(std::move(*overhead));
  }
  return spec;
}

constexpr DefaultRule kPodSpec[] = {{"dnsPolicy", "ClusterFirst"},
                                    {"restartPolicy", "Always"},
                                    {"securityContext", kEmptyObject},
                                    {"terminationGracePeriodSeconds", 30},
                                    {"schedulerName", "default-scheduler"}};
constexpr Inclusion kInPodSpec[] = {
    {"containers[]", &kContainerRules},          {"initContainers[]", &kContainerRules},
    {"ephemeralContainers[]", &kContainerRules}, {"volumes[]", &kOwnVolumeRules},
    {"volumes[]", &kVolumeSourceRules},          {"resources", &kResourceRules}};

constexpr DefaultRule kPodTemplate[] = {{"metadata", kEmptyObject}, {"spec", kEmptyObject}};
constexpr Inclusion kInPodTemplate[] = {{"spec", &kPodSpecRules}};

}  // namespace

constexpr RuleGroup kPodSpecRules = {
    .rules = kPodSpec, .includes = kInPodSpec, .adjust = with_overhead};
constexpr RuleGroup kPodTemplateRules = {.rules = kPodTemplate, .includes = kInPodTemplate};

}  // namespace berth::apiserver
