// The ManifestWorks that carry an add-on to its cluster: manifests cut into pieces that a work can
// hold, what is read back of them, and what stays behind.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/metadata.h"
#include "fleet/addons/names.h"
#include "json/value.h"

namespace berth::fleet {

// A work takes 500 KiB; one that is made anew leaves a fifth of it free to grow.
inline constexpr std::size_t kWorkSizeMax = std::size_t{500} * 1024 * 4 / 5;

struct WorksView {
  const AddOnKey& key;
  const api::OwnerReference& owner;  // The ManagedClusterAddOn.
  std::string config_hashes = {};    // For the annotation; empty: none.
  std::span<const json::Value> manifests = {};
  std::span<const json::Value> options = {};          // manifestConfigs of the template.
  std::span<const json::Value* const> existing = {};  // Works with the add-on's label.
  std::size_t size_max = kWorkSizeMax;
};

// An object that should look different: to be created without `before`, deleted without `after`.
struct AddOnChange {
  const json::Value* before = nullptr;
  std::optional<json::Value> after = std::nullopt;
};

// What has to change so that the works carry these manifests. A manifest stays in the work that it
// is in.
std::vector<AddOnChange> plan_deploy_works(const WorksView& view);

// The work with what runs before the add-on goes; nullopt when there is no such thing.
std::optional<json::Value> make_hook_work(const WorksView& view);
std::optional<AddOnChange> plan_hook_work(const WorksView& view);

// Whether every Job and Pod of that work has come to a good end.
bool is_hook_complete(const json::Value& work);

bool is_deploy_work(const json::Value& work, std::string_view add_on);

}  // namespace berth::fleet
