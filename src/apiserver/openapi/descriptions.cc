#include "apiserver/openapi/descriptions.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace berth::apiserver {
namespace {

struct Description {
  std::string_view name;  // The end of a type's name, or of "Type.field".
  std::string_view text;
};

// By name.
constexpr auto kTypes = std::to_array<Description>({
    {"Affinity", "Which nodes and which neighbours a pod wants or avoids."},
    {"Binding", "Puts a pod on a node."},
    {"CertificateSigningRequest", "Asks a signer for a certificate."},
    {"ClusterRole", "Rights in the whole cluster, or to be given in single namespaces."},
    {"ClusterRoleBinding", "Gives a ClusterRole to users in the whole cluster."},
    {"Condition", "One aspect of an object's state, and since when it holds."},
    {"ConfigMap", "Configuration as names and texts."},
    {"Container", "One program of a pod."},
    {"ControllerRevision", "A state of a controller's template that can be gone back to."},
    {"CronJob", "Starts Jobs by the clock."},
    {"CustomResourceDefinition", "Adds a kind of objects to this server."},
    {"DaemonSet", "Runs one pod on every node that fits."},
    {"DeleteOptions", "How to delete."},
    {"Deployment", "Runs replicas of a pod and replaces them step by step."},
    {"EndpointSlice", "A part of the addresses behind a service."},
    {"Endpoints", "The addresses behind a service; EndpointSlice has replaced it."},
    {"Event", "Something that happened to an object."},
    {"Eviction", "Asks a pod to go, if its disruption budget allows it."},
    {"Job", "Runs pods until enough of them have succeeded."},
    {"LabelSelector", "Chooses objects by their labels."},
    {"Lease", "Who holds something, and until when; also a sign of life."},
    {"LimitRange", "Bounds and defaults of resources in a namespace."},
    {"ListMeta", "What every list has."},
    {"LocalSubjectAccessReview", "Asks what a user may do in one namespace."},
    {"Namespace", "A room for names; most objects live in one."},
    {"Node", "A machine that runs pods."},
    {"ObjectMeta", "What every object has: names, labels, owners, versions."},
    {"OwnerReference", "An object that this one belongs to and goes with."},
    {"PersistentVolume", "A piece of storage."},
    {"PersistentVolumeClaim", "Asks for a piece of storage."},
    {"Pod", "Programs that run together on one node."},
    {"PodDisruptionBudget", "How many pods may be missing on purpose."},
    {"PodSpec", "What runs in a pod and where it may run."},
    {"PodStatus", "How far a pod has come; written by its node."},
    {"PodTemplate", "A pod to be copied."},
    {"PriorityClass", "Which pods go first and may displace others."},
    {"ReplicaSet", "Keeps a number of equal pods running."},
    {"ResourceQuota", "How much a namespace may use in all."},
    {"ResourceRequirements", "What a container needs, and what it may use at most."},
    {"Role", "Rights in one namespace."},
    {"RoleBinding", "Gives a Role to users in one namespace."},
    {"Scale", "How many replicas there are and should be."},
    {"Secret", "Small pieces of confidential data."},
    {"SelfSubjectAccessReview", "Asks what the sender may do."},
    {"SelfSubjectReview", "Asks as whom the server knows the sender."},
    {"SelfSubjectRulesReview", "Asks for all rights of the sender in a namespace."},
    {"Service", "One address for a set of pods."},
    {"ServiceAccount", "A user that is a program."},
    {"StatefulSet", "Runs pods with lasting names and storage."},
    {"Status", "How a request ended."},
    {"StorageClass", "A way to make persistent volumes."},
    {"SubjectAccessReview", "Asks what a user may do."},
    {"TokenRequest", "Asks for a token of a service account."},
    {"TokenReview", "Asks to whom a token belongs."},
    {"ValidatingAdmissionPolicy", "Rules that writes have to fulfil."},
    {"ValidatingAdmissionPolicyBinding", "Where a ValidatingAdmissionPolicy applies."},
    {"Volume", "Storage that the containers of a pod can mount."},
});

// By name.
constexpr auto kFields = std::to_array<Description>({
    {"Binding.target", "The node."},
    {"ClusterRole.aggregationRule", "Which other roles its rights are put together from."},
    {"ClusterRoleBinding.roleRef", "The role that is given; it never changes."},
    {"ConfigMap.binaryData", "Values that are no texts, in base64."},
    {"Container.args", "Arguments of the program; the image's if absent."},
    {"Container.command", "The program and its first arguments; the image's if absent."},
    {"Container.env", "Variables of the program's environment."},
    {"Container.image", "The image that the program comes from."},
    {"Container.livenessProbe", "Restarts the container when it fails."},
    {"Container.ports", "Ports that the program listens on."},
    {"Container.readinessProbe", "Takes the pod out of its services while it fails."},
    {"Container.resources", "What the container needs, and what it may use at most."},
    {"Container.volumeMounts", "Where volumes of the pod appear in the container."},
    {"ControllerRevision.revision", "Which state it is; later ones have higher numbers."},
    {"EndpointSlice.addressType", "IPv4, IPv6 or FQDN."},
    {"EndpointSlice.endpoints", "The addresses, each with its state."},
    {"EndpointSlice.ports", "The ports at all of these addresses."},
    {"Endpoints.subsets", "Addresses with the ports that they share."},
    {"Event.action", "What the reporter did, or failed to do."},
    {"Event.count", "How often it happened."},
    {"Event.deprecatedCount", "How often it happened; series has replaced it."},
    {"Event.deprecatedFirstTimestamp", "When it happened first; eventTime has replaced it."},
    {"Event.deprecatedLastTimestamp", "When it happened last; series has replaced it."},
    {"Event.deprecatedSource", "Who reported it; reportingController has replaced it."},
    {"Event.eventTime", "When it happened first."},
    {"Event.firstTimestamp", "When it happened first; eventTime has replaced it."},
    {"Event.involvedObject", "The object that it happened to."},
    {"Event.lastTimestamp", "When it happened last."},
    {"Event.message", "What happened, for people."},
    {"Event.note", "What happened, for people."},
    {"Event.reason", "Why it happened, in one word for programs."},
    {"Event.regarding", "The object that it happened to."},
    {"Event.related", "Another object that has to do with it."},
    {"Event.reportingComponent", "The controller that reports it."},
    {"Event.reportingController", "The controller that reports it."},
    {"Event.reportingInstance", "Which instance of the controller reports it."},
    {"Event.series", "How often it happened since, and when last."},
    {"Event.source", "Who reported it; reportingComponent has replaced it."},
    {"Event.type", "Normal or Warning."},
    {"ObjectMeta.creationTimestamp", "When the server made the object."},
    {"ObjectMeta.deletionTimestamp",
     "When its deletion was asked for; it ends with its finalizers."},
    {"ObjectMeta.finalizers", "Who has something to do before the object may go."},
    {"ObjectMeta.generateName", "The start of a name that the server completes."},
    {"ObjectMeta.generation", "Counts the changes of what is wanted."},
    {"ObjectMeta.managedFields", "Who owns which field; kept by the server."},
    {"ObjectMeta.ownerReferences", "The objects that this one belongs to and goes with."},
    {"ObjectMeta.resourceVersion", "Changes with every write; only to be compared and sent back."},
    {"ObjectMeta.uid", "Different for any two objects, even of the same name."},
    {"PodSpec.affinity", "Which nodes and which neighbours the pod wants or avoids."},
    {"PodSpec.containers", "The programs of the pod; at least one."},
    {"PodSpec.initContainers",
     "Programs that have to end well, one by one, before the others start."},
    {"PodSpec.nodeName", "The node that the pod is on; set by a scheduler."},
    {"PodSpec.nodeSelector", "Labels that the node must have."},
    {"PodSpec.priorityClassName", "Which PriorityClass the pod is of."},
    {"PodSpec.restartPolicy", "When containers that ended are started again."},
    {"PodSpec.schedulerName", "Which scheduler chooses the node."},
    {"PodSpec.serviceAccountName", "The service account that the programs act as."},
    {"PodSpec.tolerations", "Taints of nodes that do not matter."},
    {"PodSpec.volumes", "Storage that the containers can mount."},
    {"PriorityClass.description", "What the class is for."},
    {"PriorityClass.globalDefault", "Whether it is the class of pods that name none."},
    {"PriorityClass.preemptionPolicy", "Whether its pods may displace others."},
    {"PriorityClass.value", "The priority; higher ones go first."},
    {"RoleBinding.roleRef", "The role that is given; it never changes."},
    {"Secret.stringData", "Values as plain texts; the server moves them into data."},
    {"ServiceAccount.automountServiceAccountToken", "Whether pods get its token without asking."},
    {"ServiceAccount.imagePullSecrets", "Secrets to fetch the images of its pods with."},
    {"ServiceAccount.secrets", "Secrets that its pods may use."},
    {"StorageClass.allowVolumeExpansion", "Whether its volumes may grow."},
    {"StorageClass.allowedTopologies", "Where its volumes may be made."},
    {"StorageClass.mountOptions", "Options for mounting its volumes."},
    {"StorageClass.parameters", "What the provisioner has to know."},
    {"StorageClass.provisioner", "Who makes its volumes."},
    {"StorageClass.reclaimPolicy", "What becomes of a volume after its claim: Retain or Delete."},
    {"StorageClass.volumeBindingMode",
     "When claims get their volumes: at once, or with their first pod."},
});

// Fields that mean the same wherever they are. By name.
constexpr auto kCommonFields = std::to_array<Description>({
    {"annotations", "Names and texts for tools; nothing selects by them."},
    {"apiVersion", "The group and version that the object is written in."},
    {"conditions", "Aspects of the state, one of each type."},
    {"data", "The content: names and values."},
    {"immutable", "Whether the content can never be changed again."},
    {"items", "The objects."},
    {"kind", "What the object is."},
    {"labels", "Names and texts to select by."},
    {"metadata", "Names, labels, owners, versions: what every object has."},
    {"name", "The name."},
    {"namespace", "The namespace."},
    {"observedGeneration", "The generation that the state was written for."},
    {"replicas", "How many there should be, or are."},
    {"rules", "The rights."},
    {"selector", "Which objects it is about."},
    {"spec", "What is wanted."},
    {"status", "What is; written by the system."},
    {"subjects", "The users that get the rights."},
    {"template", "What new objects look like."},
    {"type", "Which sort it is."},
});

static_assert(std::ranges::is_sorted(kTypes, {}, &Description::name));
static_assert(std::ranges::is_sorted(kFields, {}, &Description::name));
static_assert(std::ranges::is_sorted(kCommonFields, {}, &Description::name));

std::string_view find(std::span<const Description> table, std::string_view name) {
  const auto at = std::ranges::lower_bound(table, name, {}, &Description::name);
  return at != table.end() && at->name == name ? at->text : std::string_view();
}

std::string_view last_part(std::string_view type_name) {
  return type_name.substr(type_name.rfind('.') + 1);
}

}  // namespace

std::string_view type_description(std::string_view type_name) {
  return find(kTypes, last_part(type_name));
}

std::string_view field_description(std::string_view type_name, std::string_view field) {
  const std::string exact = std::string(last_part(type_name)) + "." + std::string(field);
  const std::string_view text = find(kFields, exact);
  return text.empty() ? find(kCommonFields, field) : text;
}

}  // namespace berth::apiserver
