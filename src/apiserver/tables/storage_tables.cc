// Volumes, the claims to them, and the classes they come from.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

// In the order in which they are shown.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kAccessModes = {
    {{"ReadWriteOnce", "RWO"},
     {"ReadOnlyMany", "ROX"},
     {"ReadWriteMany", "RWX"},
     {"ReadWriteOncePod", "RWOP"}}};

std::string access_modes(const Value& modes) {
  std::vector<std::string> shown;
  for (const auto& [mode, letters] : kAccessModes) {
    const bool has_mode = std::ranges::any_of(
        modes.elements(), [&](const Value& element) { return element.string_or_empty() == mode; });
    if (has_mode) shown.emplace_back(letters);
  }
  return join(shown, ",");
}

Value phase(const Value& object, Time /*now*/) {
  if (!at(object, "metadata.deletionTimestamp").is_null()) return "Terminating";
  return text_at(object, "status.phase");
}

// The annotation is older than the field and goes first.
Value storage_class(const Value& object, Time /*now*/) {
  const auto annotated = annotation(object, "volume.beta.kubernetes.io/storage-class");
  return annotated ? Value(*annotated) : Value(text_at(object, "spec.storageClassName"));
}

Value volume_capacity(const Value& volume, Time /*now*/) {
  return quantity_text(at(volume, "spec.capacity.storage"));
}
Value volume_modes(const Value& volume, Time /*now*/) {
  return access_modes(at(volume, "spec.accessModes"));
}
Value volume_claim(const Value& volume, Time /*now*/) {
  const Value& claim = at(volume, "spec.claimRef");
  if (!claim.is_object()) return "";
  return fmt::format("{}/{}", text_at(claim, "namespace"), text_at(claim, "name"));
}

// What a claim got is shown once it got something.
bool is_bound(const Value& claim) { return !text_at(claim, "spec.volumeName").empty(); }

Value claim_capacity(const Value& claim, Time /*now*/) {
  return is_bound(claim) ? quantity_text(at(claim, "status.capacity.storage")) : "";
}
Value claim_modes(const Value& claim, Time /*now*/) {
  return is_bound(claim) ? access_modes(at(claim, "status.accessModes")) : "";
}

Value class_name(const Value& storage_class_object, Time /*now*/) {
  std::string name = text_at(storage_class_object, "metadata.name");
  for (const char* key : {"storageclass.kubernetes.io/is-default-class",
                          "storageclass.beta.kubernetes.io/is-default-class"}) {
    if (annotation(storage_class_object, key) == "true") return name + " (default)";
  }
  return name;
}

Value attach_required(const Value& driver, Time /*now*/) {
  return at(driver, "spec.attachRequired").as_bool().value_or(true);
}
Value token_requests(const Value& driver, Time /*now*/) {
  const Value& requests = at(driver, "spec.tokenRequests");
  if (!requests.is_array()) return "<unset>";
  std::vector<std::string> audiences;
  for (const Value& request : requests.elements())
    audiences.push_back(text_at(request, "audience"));
  return join(audiences, ",");
}
Value lifecycle_modes(const Value& driver, Time /*now*/) {
  const std::string modes = joined_at(driver, "spec.volumeLifecycleModes", ",");
  return modes.empty() ? "<none>" : modes;
}

constexpr BuiltinColumn kVolumeMode =
    wide(optional_column("VolumeMode", "spec.volumeMode", "<unset>"));
constexpr BuiltinColumn kAttributesClass =
    optional_column("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>");

constexpr BuiltinColumn kVolumes[] = {
    kNameColumn,
    computed_column("Capacity", volume_capacity),
    computed_column("Access Modes", volume_modes),
    text_column("Reclaim Policy", "spec.persistentVolumeReclaimPolicy"),
    computed_column("Status", phase),
    computed_column("Claim", volume_claim),
    computed_column("StorageClass", storage_class),
    kAttributesClass,
    text_column("Reason", "status.reason"),
    kAgeColumn,
    kVolumeMode};
constexpr BuiltinColumn kClaims[] = {kNameColumn,
                                     computed_column("Status", phase),
                                     text_column("Volume", "spec.volumeName"),
                                     computed_column("Capacity", claim_capacity),
                                     computed_column("Access Modes", claim_modes),
                                     computed_column("StorageClass", storage_class),
                                     kAttributesClass,
                                     kAgeColumn,
                                     kVolumeMode};
constexpr BuiltinColumn kStorageName = {
    .name = "Name", .format = "name", .source = CellSource::Computed, .compute = class_name};
constexpr BuiltinColumn kClasses[] = {
    kStorageName,
    text_column("Provisioner", "provisioner"),
    text_column("ReclaimPolicy", "reclaimPolicy", "Delete"),
    text_column("VolumeBindingMode", "volumeBindingMode", "Immediate"),
    typed("string", boolean_column("AllowVolumeExpansion", "allowVolumeExpansion")),
    kAgeColumn};
constexpr BuiltinColumn kCsiNodes[] = {kNameColumn, count_column("Drivers", "spec.drivers"),
                                       kAgeColumn};
constexpr BuiltinColumn kCsiDrivers[] = {
    kNameColumn,
    typed("boolean", computed_column("AttachRequired", attach_required)),
    boolean_column("PodInfoOnMount", "spec.podInfoOnMount"),
    boolean_column("StorageCapacity", "spec.storageCapacity"),
    computed_column("TokenRequests", token_requests),
    boolean_column("RequiresRepublish", "spec.requiresRepublish"),
    computed_column("Modes", lifecycle_modes),
    kAgeColumn};
constexpr BuiltinColumn kAttachments[] = {
    kNameColumn,
    {.name = "Attacher", .format = "name", .path = "spec.attacher"},
    text_column("PV", "spec.source.persistentVolumeName"),
    text_column("Node", "spec.nodeName"),
    boolean_column("Attached", "status.attached"),
    kAgeColumn};
constexpr BuiltinColumn kAttributesClasses[] = {
    kNameColumn, text_column("DriverName", "driverName"), kAgeColumn};

constexpr BuiltinTable kTables[] = {
    {.group = "", .kind = "PersistentVolume", .columns = kVolumes},
    {.group = "", .kind = "PersistentVolumeClaim", .columns = kClaims},
    {.group = "storage.k8s.io", .kind = "StorageClass", .columns = kClasses},
    {.group = "storage.k8s.io", .kind = "CSINode", .columns = kCsiNodes},
    {.group = "storage.k8s.io", .kind = "CSIDriver", .columns = kCsiDrivers},
    {.group = "storage.k8s.io", .kind = "VolumeAttachment", .columns = kAttachments},
    {.group = "storage.k8s.io", .kind = "VolumeAttributesClass", .columns = kAttributesClasses},
};

}  // namespace

std::span<const BuiltinTable> storage_tables() { return kTables; }

}  // namespace berth::apiserver
