// Defaults of volumes, claims and storage classes.

#include <utility>

#include "apiserver/defaults/groups.h"
#include "apiserver/defaults/kind_rules.h"
#include "apiserver/defaults/quantities.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr DefaultRule kIscsi[] = {{"iscsiInterface", "default"}};
constexpr RuleGroup kIscsiRules = {.rules = kIscsi};
constexpr DefaultRule kRbd[] = {
    {"pool", "rbd"}, {"user", "admin"}, {"keyring", "/etc/ceph/keyring"}};
constexpr RuleGroup kRbdRules = {.rules = kRbd};
constexpr DefaultRule kAzureDisk[] = {
    {"cachingMode", "ReadWrite"}, {"fsType", "ext4"}, {"readOnly", false}, {"kind", "Shared"}};
constexpr RuleGroup kAzureDiskRules = {.rules = kAzureDisk};
constexpr DefaultRule kScaleIo[] = {{"storageMode", "ThinProvisioned"}, {"fsType", "xfs"}};
constexpr RuleGroup kScaleIoRules = {.rules = kScaleIo};

// The only default that is an empty string: it says that nothing is checked.
Value with_path_type(Value host_path) {
  Value& type = host_path["type"];
  if (type.is_null()) type = "";
  return host_path;
}
constexpr RuleGroup kHostPathRules = {.adjust = with_path_type};

constexpr Inclusion kInSource[] = {{"hostPath", &kHostPathRules},
                                   {"iscsi", &kIscsiRules},
                                   {"rbd", &kRbdRules},
                                   {"azureDisk", &kAzureDiskRules},
                                   {"scaleIO", &kScaleIoRules}};

constexpr RuleGroup kResourceRules = {.adjust = canonical_resources};
constexpr DefaultRule kClaimSpec[] = {{"volumeMode", "Filesystem"}, {"resources", kEmptyObject}};
constexpr Inclusion kInClaimSpec[] = {{"resources", &kResourceRules}};

constexpr DefaultRule kPending[] = {{"phase", "Pending"}};
constexpr RuleGroup kPendingRules = {.rules = kPending};
constexpr DefaultRule kClaim[] = {{"spec", kEmptyObject}, {"status", kEmptyObject}};
constexpr Inclusion kInClaim[] = {{"spec", &kClaimSpecRules}, {"status", &kPendingRules}};

Value with_capacity(Value spec) {
  if (Value* capacity = spec.find("capacity")) {
    *capacity = canonical_quantities(std::move(*capacity));
  }
  return spec;
}
constexpr DefaultRule kVolumeSpec[] = {{"persistentVolumeReclaimPolicy", "Retain"},
                                       {"volumeMode", "Filesystem"}};
constexpr RuleGroup kVolumeSpecRules = {
    .rules = kVolumeSpec, .includes = kInSource, .adjust = with_capacity};
constexpr Inclusion kInVolume[] = {{"spec", &kVolumeSpecRules}, {"status", &kPendingRules}};
constexpr RuleGroup kVolumeRules = {.rules = kClaim, .includes = kInVolume};

constexpr DefaultRule kClass[] = {{"reclaimPolicy", "Delete"}, {"volumeBindingMode", "Immediate"}};
constexpr RuleGroup kClassRules = {.rules = kClass};

constexpr DefaultRule kDriver[] = {{"attachRequired", true},
                                   {"podInfoOnMount", false},
                                   {"storageCapacity", false},
                                   {"fsGroupPolicy", "ReadWriteOnceWithFSType"},
                                   {"volumeLifecycleModes", one_of("Persistent")},
                                   {"requiresRepublish", false},
                                   {"seLinuxMount", false}};
constexpr RuleGroup kDriverSpecRules = {.rules = kDriver};
constexpr DefaultRule kSpecOnly[] = {{"spec", kEmptyObject}};
constexpr Inclusion kInDriver[] = {{"spec", &kDriverSpecRules}};
constexpr RuleGroup kDriverRules = {.rules = kSpecOnly, .includes = kInDriver};

constexpr DefaultRule kAttachment[] = {{"status", kEmptyObject}};
constexpr DefaultRule kAttached[] = {{"attached", false}};
constexpr RuleGroup kAttachedRules = {.rules = kAttached};
constexpr Inclusion kInAttachment[] = {{"status", &kAttachedRules}};
constexpr RuleGroup kAttachmentRules = {.rules = kAttachment, .includes = kInAttachment};

constexpr KindRules kKinds[] = {
    {"", "PersistentVolumeClaim", &kVolumeClaimRules},
    {"", "PersistentVolume", &kVolumeRules},
    {"storage.k8s.io", "StorageClass", &kClassRules},
    {"storage.k8s.io", "CSIDriver", &kDriverRules},
    {"storage.k8s.io", "VolumeAttachment", &kAttachmentRules},
};

}  // namespace

constexpr RuleGroup kVolumeSourceRules = {.includes = kInSource};
constexpr RuleGroup kClaimSpecRules = {.rules = kClaimSpec, .includes = kInClaimSpec};
constexpr RuleGroup kVolumeClaimRules = {.rules = kClaim, .includes = kInClaim};

std::span<const KindRules> storage_rules() { return kKinds; }

}  // namespace berth::apiserver
