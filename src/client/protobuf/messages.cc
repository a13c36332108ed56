#include "client/protobuf/messages.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "base/strings.h"

namespace berth::client::protobuf {
namespace {

// Kubernetes 1.35, as `oracle protobuf-schema` (tests/kube/peers/oracle) prints it. One message per
// entry; of each field its number, its name in JSON ("." when embedded), and its type: [] a list,
// {} a map, ! shown in JSON even when it is zero.
//
// A field that is missing here makes the reader of a whole message give up, and its user read JSON:
// see decoder.h. So an old table costs speed, never data.
constexpr std::string_view kMessages = R"(
Pod: 1 metadata ObjectMeta, 2 spec PodSpec, 3 status PodStatus
Node: 1 metadata ObjectMeta, 2 spec NodeSpec, 3 status NodeStatus
Status: 1 metadata ListMeta, 2 status string, 3 message string, 4 reason string,
  5 details StatusDetails, 6 code int
ObjectMeta: 1 name string, 2 generateName string, 3 namespace string, 4 selfLink string,
  5 uid string, 6 resourceVersion string, 7 generation int, 8 creationTimestamp Time,
  9 deletionTimestamp Time, 10 deletionGracePeriodSeconds int!, 11 labels string{},
  12 annotations string{}, 13 ownerReferences OwnerReference[], 14 finalizers string[],
  17 managedFields ManagedFieldsEntry[]
PodSpec: 1 volumes Volume[], 20 initContainers Container[], 2 containers Container[],
  34 ephemeralContainers EphemeralContainer[], 3 restartPolicy string,
  4 terminationGracePeriodSeconds int!, 5 activeDeadlineSeconds int!, 6 dnsPolicy string,
  7 nodeSelector string{}, 8 serviceAccountName string, 9 serviceAccount string,
  21 automountServiceAccountToken bool!, 10 nodeName string, 11 hostNetwork bool,
  12 hostPID bool, 13 hostIPC bool, 27 shareProcessNamespace bool!,
  14 securityContext PodSecurityContext, 15 imagePullSecrets LocalObjectReference[],
  16 hostname string, 17 subdomain string, 18 affinity Affinity, 19 schedulerName string,
  22 tolerations Toleration[], 23 hostAliases HostAlias[], 24 priorityClassName string,
  25 priority int!, 26 dnsConfig PodDNSConfig, 28 readinessGates PodReadinessGate[],
  29 runtimeClassName string!, 30 enableServiceLinks bool!, 31 preemptionPolicy string!,
  32 overhead Quantity{}, 33 topologySpreadConstraints TopologySpreadConstraint[],
  35 setHostnameAsFQDN bool!, 36 os PodOS, 37 hostUsers bool!,
  38 schedulingGates PodSchedulingGate[], 39 resourceClaims PodResourceClaim[],
  40 resources ResourceRequirements, 41 hostnameOverride string!, 42 workloadRef WorkloadReference
PodStatus: 17 observedGeneration int, 1 phase string, 2 conditions PodCondition[],
  3 message string, 4 reason string, 11 nominatedNodeName string, 5 hostIP string,
  16 hostIPs HostIP[], 6 podIP string, 12 podIPs PodIP[], 7 startTime Time,
  10 initContainerStatuses ContainerStatus[], 8 containerStatuses ContainerStatus[],
  9 qosClass string, 13 ephemeralContainerStatuses ContainerStatus[], 14 resize string,
  15 resourceClaimStatuses PodResourceClaimStatus[],
  18 extendedResourceClaimStatus PodExtendedResourceClaimStatus,
  19 allocatedResources Quantity{}, 20 resources ResourceRequirements
NodeSpec: 1 podCIDR string, 7 podCIDRs string[], 3 providerID string, 4 unschedulable bool,
  5 taints Taint[], 6 configSource NodeConfigSource, 2 externalID string
NodeStatus: 1 capacity Quantity{}, 2 allocatable Quantity{}, 3 phase string,
  4 conditions NodeCondition[], 5 addresses NodeAddress[], 6 daemonEndpoints NodeDaemonEndpoints,
  7 nodeInfo NodeSystemInfo, 8 images ContainerImage[], 9 volumesInUse string[],
  10 volumesAttached AttachedVolume[], 11 config NodeConfigStatus,
  12 runtimeHandlers NodeRuntimeHandler[], 13 features NodeFeatures, 14 declaredFeatures string[]
ListMeta: 1 selfLink string, 2 resourceVersion string, 3 continue string,
  4 remainingItemCount int!
StatusDetails: 1 name string, 2 group string, 3 kind string, 6 uid string,
  4 causes StatusCause[], 5 retryAfterSeconds int
OwnerReference: 5 apiVersion string!, 1 kind string!, 3 name string!, 4 uid string!,
  6 controller bool!, 7 blockOwnerDeletion bool!
ManagedFieldsEntry: 1 manager string, 2 operation string, 3 apiVersion string, 4 time Time,
  6 fieldsType string, 7 fieldsV1 JSON, 8 subresource string
Volume: 1 name string!, 2 . VolumeSource
Container: 1 name string!, 2 image string, 3 command string[], 4 args string[],
  5 workingDir string, 6 ports ContainerPort[], 19 envFrom EnvFromSource[], 7 env EnvVar[],
  8 resources ResourceRequirements, 23 resizePolicy ContainerResizePolicy[],
  24 restartPolicy string!, 25 restartPolicyRules ContainerRestartRule[],
  9 volumeMounts VolumeMount[], 21 volumeDevices VolumeDevice[], 10 livenessProbe Probe,
  11 readinessProbe Probe, 22 startupProbe Probe, 12 lifecycle Lifecycle,
  13 terminationMessagePath string, 20 terminationMessagePolicy string,
  14 imagePullPolicy string, 15 securityContext SecurityContext, 16 stdin bool,
  17 stdinOnce bool, 18 tty bool
EphemeralContainer: 1 . EphemeralContainerCommon, 2 targetContainerName string
PodSecurityContext: 1 seLinuxOptions SELinuxOptions,
  8 windowsOptions WindowsSecurityContextOptions, 2 runAsUser int!, 6 runAsGroup int!,
  3 runAsNonRoot bool!, 4 supplementalGroups int[], 12 supplementalGroupsPolicy string!,
  5 fsGroup int!, 7 sysctls Sysctl[], 9 fsGroupChangePolicy string!,
  10 seccompProfile SeccompProfile, 11 appArmorProfile AppArmorProfile,
  13 seLinuxChangePolicy string!
LocalObjectReference: 1 name string
Affinity: 1 nodeAffinity NodeAffinity, 2 podAffinity PodAffinity,
  3 podAntiAffinity PodAntiAffinity
Toleration: 1 key string, 2 operator string, 3 value string, 4 effect string,
  5 tolerationSeconds int!
HostAlias: 1 ip string!, 2 hostnames string[]
PodDNSConfig: 1 nameservers string[], 2 searches string[], 3 options PodDNSConfigOption[]
PodReadinessGate: 1 conditionType string!
TopologySpreadConstraint: 1 maxSkew int!, 2 topologyKey string!, 3 whenUnsatisfiable string!,
  4 labelSelector LabelSelector, 5 minDomains int!, 6 nodeAffinityPolicy string!,
  7 nodeTaintsPolicy string!, 8 matchLabelKeys string[]
PodOS: 1 name string!
PodSchedulingGate: 1 name string!
PodResourceClaim: 1 name string!, 3 resourceClaimName string!, 4 resourceClaimTemplateName string!
ResourceRequirements: 1 limits Quantity{}, 2 requests Quantity{}, 3 claims ResourceClaim[]
WorkloadReference: 1 name string!, 2 podGroup string!, 3 podGroupReplicaKey string
PodCondition: 1 type string!, 7 observedGeneration int, 2 status string!, 3 lastProbeTime Time,
  4 lastTransitionTime Time, 5 reason string, 6 message string
HostIP: 1 ip string!
PodIP: 1 ip string!
ContainerStatus: 1 name string!, 2 state ContainerState, 3 lastState ContainerState,
  4 ready bool!, 5 restartCount int!, 6 image string!, 7 imageID string!, 8 containerID string,
  9 started bool!, 10 allocatedResources Quantity{}, 11 resources ResourceRequirements,
  12 volumeMounts VolumeMountStatus[], 13 user ContainerUser,
  14 allocatedResourcesStatus ResourceStatus[], 15 stopSignal string!
PodResourceClaimStatus: 1 name string!, 2 resourceClaimName string!
PodExtendedResourceClaimStatus: 1 requestMappings ContainerExtendedResourceRequest[],
  2 resourceClaimName string!
Taint: 1 key string!, 2 value string, 3 effect string!, 4 timeAdded Time
NodeConfigSource: 2 configMap ConfigMapNodeConfigSource
NodeCondition: 1 type string!, 2 status string!, 3 lastHeartbeatTime Time,
  4 lastTransitionTime Time, 5 reason string, 6 message string
NodeAddress: 1 type string!, 2 address string!
NodeDaemonEndpoints: 1 kubeletEndpoint DaemonEndpoint
NodeSystemInfo: 1 machineID string!, 2 systemUUID string!, 3 bootID string!,
  4 kernelVersion string!, 5 osImage string!, 6 containerRuntimeVersion string!,
  7 kubeletVersion string!, 8 kubeProxyVersion string!, 9 operatingSystem string!,
  10 architecture string!, 11 swap NodeSwapStatus
ContainerImage: 1 names string[], 2 sizeBytes int
AttachedVolume: 1 name string!, 2 devicePath string!
NodeConfigStatus: 1 assigned NodeConfigSource, 2 active NodeConfigSource,
  3 lastKnownGood NodeConfigSource, 4 error string
NodeRuntimeHandler: 1 name string!, 2 features NodeRuntimeHandlerFeatures
NodeFeatures: 1 supplementalGroupsPolicy bool!
StatusCause: 1 reason string, 2 message string, 3 field string
VolumeSource: 1 hostPath HostPathVolumeSource, 2 emptyDir EmptyDirVolumeSource,
  3 gcePersistentDisk GCEPersistentDiskVolumeSource,
  4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource, 5 gitRepo GitRepoVolumeSource,
  6 secret SecretVolumeSource, 7 nfs NFSVolumeSource, 8 iscsi ISCSIVolumeSource,
  9 glusterfs GlusterfsVolumeSource, 10 persistentVolumeClaim PersistentVolumeClaimVolumeSource,
  11 rbd RBDVolumeSource, 12 flexVolume FlexVolumeSource, 13 cinder CinderVolumeSource,
  14 cephfs CephFSVolumeSource, 15 flocker FlockerVolumeSource,
  16 downwardAPI DownwardAPIVolumeSource, 17 fc FCVolumeSource,
  18 azureFile AzureFileVolumeSource, 19 configMap ConfigMapVolumeSource,
  20 vsphereVolume VsphereVirtualDiskVolumeSource, 21 quobyte QuobyteVolumeSource,
  22 azureDisk AzureDiskVolumeSource, 23 photonPersistentDisk PhotonPersistentDiskVolumeSource,
  26 projected ProjectedVolumeSource, 24 portworxVolume PortworxVolumeSource,
  25 scaleIO ScaleIOVolumeSource, 27 storageos StorageOSVolumeSource, 28 csi CSIVolumeSource,
  29 ephemeral EphemeralVolumeSource, 30 image ImageVolumeSource
ContainerPort: 1 name string, 2 hostPort int, 3 containerPort int!, 4 protocol string,
  5 hostIP string
EnvFromSource: 1 prefix string, 2 configMapRef ConfigMapEnvSource, 3 secretRef SecretEnvSource
EnvVar: 1 name string!, 2 value string, 3 valueFrom EnvVarSource
ContainerResizePolicy: 1 resourceName string!, 2 restartPolicy string!
ContainerRestartRule: 1 action string, 2 exitCodes ContainerRestartRuleOnExitCodes
VolumeMount: 1 name string!, 2 readOnly bool, 7 recursiveReadOnly string!, 3 mountPath string!,
  4 subPath string, 5 mountPropagation string!, 6 subPathExpr string
VolumeDevice: 1 name string!, 2 devicePath string!
Probe: 1 . ProbeHandler, 2 initialDelaySeconds int, 3 timeoutSeconds int, 4 periodSeconds int,
  5 successThreshold int, 6 failureThreshold int, 7 terminationGracePeriodSeconds int!
Lifecycle: 1 postStart LifecycleHandler, 2 preStop LifecycleHandler, 3 stopSignal string!
SecurityContext: 1 capabilities Capabilities, 2 privileged bool!,
  3 seLinuxOptions SELinuxOptions, 10 windowsOptions WindowsSecurityContextOptions,
  4 runAsUser int!, 8 runAsGroup int!, 5 runAsNonRoot bool!, 6 readOnlyRootFilesystem bool!,
  7 allowPrivilegeEscalation bool!, 9 procMount string!, 11 seccompProfile SeccompProfile,
  12 appArmorProfile AppArmorProfile
EphemeralContainerCommon: 1 name string!, 2 image string, 3 command string[], 4 args string[],
  5 workingDir string, 6 ports ContainerPort[], 19 envFrom EnvFromSource[], 7 env EnvVar[],
  8 resources ResourceRequirements, 23 resizePolicy ContainerResizePolicy[],
  24 restartPolicy string!, 25 restartPolicyRules ContainerRestartRule[],
  9 volumeMounts VolumeMount[], 21 volumeDevices VolumeDevice[], 10 livenessProbe Probe,
  11 readinessProbe Probe, 22 startupProbe Probe, 12 lifecycle Lifecycle,
  13 terminationMessagePath string, 20 terminationMessagePolicy string,
  14 imagePullPolicy string, 15 securityContext SecurityContext, 16 stdin bool,
  17 stdinOnce bool, 18 tty bool
SELinuxOptions: 1 user string, 2 role string, 3 type string, 4 level string
WindowsSecurityContextOptions: 1 gmsaCredentialSpecName string!, 2 gmsaCredentialSpec string!,
  3 runAsUserName string!, 4 hostProcess bool!
Sysctl: 1 name string!, 2 value string!
SeccompProfile: 1 type string!, 2 localhostProfile string!
AppArmorProfile: 1 type string!, 2 localhostProfile string!
NodeAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector,
  2 preferredDuringSchedulingIgnoredDuringExecution PreferredSchedulingTerm[]
PodAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[],
  2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]
PodAntiAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[],
  2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]
PodDNSConfigOption: 1 name string, 2 value string!
LabelSelector: 1 matchLabels string{}, 2 matchExpressions LabelSelectorRequirement[]
ResourceClaim: 1 name string!, 2 request string
ContainerState: 1 waiting ContainerStateWaiting, 2 running ContainerStateRunning,
  3 terminated ContainerStateTerminated
VolumeMountStatus: 1 name string!, 2 mountPath string!, 3 readOnly bool,
  4 recursiveReadOnly string!
ContainerUser: 1 linux LinuxContainerUser
ResourceStatus: 1 name string!, 2 resources ResourceHealth[]
ContainerExtendedResourceRequest: 1 containerName string!, 2 resourceName string!,
  3 requestName string!
ConfigMapNodeConfigSource: 1 namespace string!, 2 name string!, 3 uid string,
  4 resourceVersion string, 5 kubeletConfigKey string!
DaemonEndpoint: 1 Port int!
NodeSwapStatus: 1 capacity int!
NodeRuntimeHandlerFeatures: 1 recursiveReadOnlyMounts bool!, 2 userNamespaces bool!
HostPathVolumeSource: 1 path string!, 2 type string!
EmptyDirVolumeSource: 1 medium string, 2 sizeLimit Quantity
GCEPersistentDiskVolumeSource: 1 pdName string!, 2 fsType string, 3 partition int, 4 readOnly bool
AWSElasticBlockStoreVolumeSource: 1 volumeID string!, 2 fsType string, 3 partition int,
  4 readOnly bool
GitRepoVolumeSource: 1 repository string!, 2 revision string, 3 directory string
SecretVolumeSource: 1 secretName string, 2 items KeyToPath[], 3 defaultMode int!, 4 optional bool!
NFSVolumeSource: 1 server string!, 2 path string!, 3 readOnly bool
ISCSIVolumeSource: 1 targetPortal string!, 2 iqn string!, 3 lun int!, 4 iscsiInterface string,
  5 fsType string, 6 readOnly bool, 7 portals string[], 8 chapAuthDiscovery bool,
  11 chapAuthSession bool, 10 secretRef LocalObjectReference, 12 initiatorName string!
GlusterfsVolumeSource: 1 endpoints string!, 2 path string!, 3 readOnly bool
PersistentVolumeClaimVolumeSource: 1 claimName string!, 2 readOnly bool
RBDVolumeSource: 1 monitors string[], 2 image string!, 3 fsType string, 4 pool string,
  5 user string, 6 keyring string, 7 secretRef LocalObjectReference, 8 readOnly bool
FlexVolumeSource: 1 driver string!, 2 fsType string, 3 secretRef LocalObjectReference,
  4 readOnly bool, 5 options string{}
CinderVolumeSource: 1 volumeID string!, 2 fsType string, 3 readOnly bool,
  4 secretRef LocalObjectReference
CephFSVolumeSource: 1 monitors string[], 2 path string, 3 user string, 4 secretFile string,
  5 secretRef LocalObjectReference, 6 readOnly bool
FlockerVolumeSource: 1 datasetName string, 2 datasetUUID string
DownwardAPIVolumeSource: 1 items DownwardAPIVolumeFile[], 2 defaultMode int!
FCVolumeSource: 1 targetWWNs string[], 2 lun int!, 3 fsType string, 4 readOnly bool,
  5 wwids string[]
AzureFileVolumeSource: 1 secretName string!, 2 shareName string!, 3 readOnly bool
ConfigMapVolumeSource: 1 . LocalObjectReference, 2 items KeyToPath[], 3 defaultMode int!,
  4 optional bool!
VsphereVirtualDiskVolumeSource: 1 volumePath string!, 2 fsType string,
  3 storagePolicyName string, 4 storagePolicyID string
QuobyteVolumeSource: 1 registry string!, 2 volume string!, 3 readOnly bool, 4 user string,
  5 group string, 6 tenant string
AzureDiskVolumeSource: 1 diskName string!, 2 diskURI string!, 3 cachingMode string!,
  4 fsType string!, 5 readOnly bool!, 6 kind string!
PhotonPersistentDiskVolumeSource: 1 pdID string!, 2 fsType string
ProjectedVolumeSource: 1 sources VolumeProjection[], 2 defaultMode int!
PortworxVolumeSource: 1 volumeID string!, 2 fsType string, 3 readOnly bool
ScaleIOVolumeSource: 1 gateway string!, 2 system string!, 3 secretRef LocalObjectReference,
  4 sslEnabled bool, 5 protectionDomain string, 6 storagePool string, 7 storageMode string,
  8 volumeName string, 9 fsType string, 10 readOnly bool
StorageOSVolumeSource: 1 volumeName string, 2 volumeNamespace string, 3 fsType string,
  4 readOnly bool, 5 secretRef LocalObjectReference
CSIVolumeSource: 1 driver string!, 2 readOnly bool!, 3 fsType string!,
  4 volumeAttributes string{}, 5 nodePublishSecretRef LocalObjectReference
EphemeralVolumeSource: 1 volumeClaimTemplate PersistentVolumeClaimTemplate
ImageVolumeSource: 1 reference string, 2 pullPolicy string
ConfigMapEnvSource: 1 . LocalObjectReference, 2 optional bool!
SecretEnvSource: 1 . LocalObjectReference, 2 optional bool!
EnvVarSource: 1 fieldRef ObjectFieldSelector, 2 resourceFieldRef ResourceFieldSelector,
  3 configMapKeyRef ConfigMapKeySelector, 4 secretKeyRef SecretKeySelector,
  5 fileKeyRef FileKeySelector
ContainerRestartRuleOnExitCodes: 1 operator string, 2 values int[]
ProbeHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction,
  4 grpc GRPCAction
LifecycleHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction,
  4 sleep SleepAction
Capabilities: 1 add string[], 2 drop string[]
NodeSelector: 1 nodeSelectorTerms NodeSelectorTerm[]
PreferredSchedulingTerm: 1 weight int!, 2 preference NodeSelectorTerm
PodAffinityTerm: 1 labelSelector LabelSelector, 2 namespaces string[], 3 topologyKey string!,
  4 namespaceSelector LabelSelector, 5 matchLabelKeys string[], 6 mismatchLabelKeys string[]
WeightedPodAffinityTerm: 1 weight int!, 2 podAffinityTerm PodAffinityTerm
LabelSelectorRequirement: 1 key string!, 2 operator string!, 3 values string[]
ContainerStateWaiting: 1 reason string, 2 message string
ContainerStateRunning: 1 startedAt Time
ContainerStateTerminated: 1 exitCode int!, 2 signal int, 3 reason string, 4 message string,
  5 startedAt Time, 6 finishedAt Time, 7 containerID string
LinuxContainerUser: 1 uid int!, 2 gid int!, 3 supplementalGroups int[]
ResourceHealth: 1 resourceID string!, 2 health string
KeyToPath: 1 key string!, 2 path string!, 3 mode int!
DownwardAPIVolumeFile: 1 path string!, 2 fieldRef ObjectFieldSelector,
  3 resourceFieldRef ResourceFieldSelector, 4 mode int!
VolumeProjection: 1 secret SecretProjection, 2 downwardAPI DownwardAPIProjection,
  3 configMap ConfigMapProjection, 4 serviceAccountToken ServiceAccountTokenProjection,
  5 clusterTrustBundle ClusterTrustBundleProjection, 6 podCertificate PodCertificateProjection
PersistentVolumeClaimTemplate: 1 metadata ObjectMeta, 2 spec PersistentVolumeClaimSpec
ObjectFieldSelector: 1 apiVersion string, 2 fieldPath string!
ResourceFieldSelector: 1 containerName string, 2 resource string!, 3 divisor Quantity
ConfigMapKeySelector: 1 . LocalObjectReference, 2 key string!, 3 optional bool!
SecretKeySelector: 1 . LocalObjectReference, 2 key string!, 3 optional bool!
FileKeySelector: 1 volumeName string!, 2 path string!, 3 key string!, 4 optional bool!
ExecAction: 1 command string[]
HTTPGetAction: 1 path string, 2 port IntOrString, 3 host string, 4 scheme string,
  5 httpHeaders HTTPHeader[]
TCPSocketAction: 1 port IntOrString, 2 host string
GRPCAction: 1 port int!, 2 service string!
SleepAction: 1 seconds int!
NodeSelectorTerm: 1 matchExpressions NodeSelectorRequirement[],
  2 matchFields NodeSelectorRequirement[]
SecretProjection: 1 . LocalObjectReference, 2 items KeyToPath[], 4 optional bool!
DownwardAPIProjection: 1 items DownwardAPIVolumeFile[]
ConfigMapProjection: 1 . LocalObjectReference, 2 items KeyToPath[], 4 optional bool!
ServiceAccountTokenProjection: 1 audience string, 2 expirationSeconds int!, 3 path string!
ClusterTrustBundleProjection: 1 name string!, 2 signerName string!,
  3 labelSelector LabelSelector, 5 optional bool!, 4 path string!
PodCertificateProjection: 1 signerName string, 2 keyType string, 3 maxExpirationSeconds int!,
  4 credentialBundlePath string, 5 keyPath string, 6 certificateChainPath string,
  7 userAnnotations string{}
PersistentVolumeClaimSpec: 1 accessModes string[], 4 selector LabelSelector,
  2 resources VolumeResourceRequirements, 3 volumeName string, 5 storageClassName string!,
  6 volumeMode string!, 7 dataSource TypedLocalObjectReference,
  8 dataSourceRef TypedObjectReference, 9 volumeAttributesClassName string!
HTTPHeader: 1 name string!, 2 value string!
NodeSelectorRequirement: 1 key string!, 2 operator string!, 3 values string[]
VolumeResourceRequirements: 1 limits Quantity{}, 2 requests Quantity{}
TypedLocalObjectReference: 1 apiGroup string!, 2 kind string!, 3 name string!
TypedObjectReference: 1 apiGroup string!, 2 kind string!, 3 name string!, 4 namespace string!
)";

struct Known {
  std::string_view group;
  std::string_view version;
  std::string_view resource;
  std::string_view message;
};
constexpr Known kKnown[] = {
    {"", "v1", "pods", "Pod"},
    {"", "v1", "nodes", "Node"},
};

FieldType type_of(std::string_view name) {
  if (name == "string") return FieldType::String;
  if (name == "int") return FieldType::Integer;
  if (name == "bool") return FieldType::Boolean;
  if (name == "Time") return FieldType::Time;
  if (name == "Quantity") return FieldType::Quantity;
  if (name == "IntOrString") return FieldType::IntOrString;
  if (name == "JSON") return FieldType::Json;
  return FieldType::Message;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// "11 labels string{}".
FieldSchema field_of(std::string_view text) {
  const std::vector<std::string_view> words = split(trim(text), ' ');
  CHECK(words.size() == 3);
  std::string_view type = words[2];
  FieldSchema field{.number = static_cast<std::uint32_t>(parse_uint64(words[0]).value_or(0)),
                    .name = words[1],
                    .keeps_zero = take_suffix(type, "!")};
  CHECK(field.number > 0);
  if (take_suffix(type, "[]")) field.shape = Shape::List;
  if (take_suffix(type, "{}")) field.shape = Shape::Map;
  if (field.name == ".") {
    field.name = {};
    field.shape = Shape::Embedded;
  }
  field.type = type_of(type);
  if (field.type == FieldType::Message) field.message = type;
  return field;
}

// The text of a message's entry after "NAME:"; empty when there is none.
std::string_view entry_of(std::string_view message) {
  const std::string start = "\n" + std::string(message) + ": ";
  const std::size_t found = kMessages.find(start);
  if (found == std::string_view::npos) return {};
  std::string_view entry = kMessages.substr(found + start.size());
  std::size_t end = entry.find('\n');
  while (end + 1 < entry.size() && entry[end + 1] == ' ') end = entry.find('\n', end + 1);
  return entry.substr(0, end);
}

}  // namespace

std::string_view message_of(const Gvr& resource) {
  const auto* known = std::ranges::find_if(kKnown, [&](const Known& candidate) {
    return candidate.group == resource.group && candidate.version == resource.version &&
           candidate.resource == resource.resource;
  });
  return known == std::end(kKnown) ? std::string_view() : known->message;
}

std::vector<FieldSchema> fields_of(std::string_view message) {
  std::vector<FieldSchema> fields;
  const std::string_view entry = entry_of(message);
  if (entry.empty()) return fields;
  for (const std::string_view field : split(entry, ',')) fields.push_back(field_of(field));
  return fields;
}

}  // namespace berth::client::protobuf
