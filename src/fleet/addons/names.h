// The names that everybody who deals with add-ons has agreed upon: labels, annotations, users,
// works, secrets.

#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/registration/names.h"

namespace berth::fleet {

inline constexpr std::string_view kAddOnGroup = "addon.open-cluster-management.io";
inline constexpr std::string_view kAddOnApiVersion = "addon.open-cluster-management.io/v1alpha1";

inline constexpr std::string_view kAddOnTemplateLabel =
    "open-cluster-management.io/addon-template-name";
inline constexpr std::string_view kConfigHashAnnotation =
    "open-cluster-management.io/config-spec-hash";
inline constexpr std::string_view kImageRegistriesAnnotation =
    "open-cluster-management.io/image-registries";
inline constexpr std::string_view kLifecycleAnnotation =
    "addon.open-cluster-management.io/lifecycle";
inline constexpr std::string_view kDeletionOrphanAnnotation =
    "addon.open-cluster-management.io/deletion-orphan";

// On a Job or Pod of a template: it runs before the add-on goes. The same text is the finalizer
// that waits for it.
inline constexpr std::string_view kPreDeleteHook =
    "addon.open-cluster-management.io/addon-pre-delete";
inline constexpr std::string_view kPreDeleteHookLabel =
    "open-cluster-management.io/addon-pre-delete";

inline constexpr std::string_view kDefaultAgentNamespace = "open-cluster-management-agent-addon";

// An add-on on one cluster: the ManagedClusterAddOn of that name in the cluster's namespace.
struct AddOnKey {
  std::string cluster;
  std::string name;

  std::string text() const { return cluster + "/" + name; }
  auto operator<=>(const AddOnKey&) const = default;
};

// As whom the agent of an add-on that has a template speaks to the hub.
std::string add_on_user(const AddOnKey& key);

// The group that only this cluster's agent of this add-on is in.
std::string add_on_cluster_group(const AddOnKey& key);

// All groups that its certificate names, the common ones included.
std::vector<std::string> add_on_groups(const AddOnKey& key);

std::string deploy_work_prefix(std::string_view add_on);
std::string hook_work_name(std::string_view add_on);

// The secret on the managed cluster with what the agent needs to be known by that signer.
std::string add_on_secret(std::string_view add_on, std::string_view signer);

}  // namespace berth::fleet
