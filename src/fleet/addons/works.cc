#include "fleet/addons/works.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/addons/feedback.h"
#include "fleet/addons/manifest.h"
#include "fleet/addons/manifest_options.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using json::Value;

// A work in the making: its name, what it holds, how much of it.
struct Piece {
  std::string name;
  const Value* before = nullptr;
  std::vector<Value> manifests = {};
  std::size_t size = 0;
};

std::size_t size_of(const Value& manifest) { return json::print(manifest).size(); }

void put(Piece& piece, const Value& manifest) {
  piece.size += size_of(manifest);
  piece.manifests.push_back(manifest);
}

std::span<const Value> manifests_of(const Value& work) {
  return api::elements_field(api::field(api::field(work, "spec"), "workload"), "manifests");
}

// The pieces that there are, with those of their manifests that are still wanted; `rest` keeps what
// has no place yet.
std::vector<Piece> keep_pieces(const WorksView& view, std::vector<const Value*>& rest) {
  std::map<ManifestName, const Value*> wanted;
  for (const Value* manifest : rest) wanted[name_of_manifest(*manifest)] = manifest;
  std::vector<Piece> pieces;
  std::set<ManifestName> placed;
  for (const Value* work : view.existing) {
    if (!is_deploy_work(*work, view.key.name)) continue;
    Piece piece{.name = api::read_facts(*work).name, .before = work};
    for (const Value& manifest : manifests_of(*work)) {
      const auto found = wanted.find(name_of_manifest(manifest));
      if (found == wanted.end() || !placed.insert(found->first).second) continue;
      put(piece, *found->second);
    }
    pieces.push_back(std::move(piece));
  }
  // Of manifests with one name the last one counts.
  std::erase_if(rest, [&](const Value* manifest) {
    const ManifestName name = name_of_manifest(*manifest);
    return placed.contains(name) || wanted[name] != manifest;
  });
  return pieces;
}

std::string free_name(const WorksView& view, const std::vector<Piece>& pieces) {
  for (std::size_t index = 0;; ++index) {
    std::string name = fmt::format("{}-{}", deploy_work_prefix(view.key.name), index);
    if (std::ranges::none_of(pieces, [&](const Piece& piece) { return piece.name == name; })) {
      return name;
    }
  }
}

// The piece with the most room if the manifest fits in, or a new one.
Piece& piece_for(const WorksView& view, std::vector<Piece>& pieces, const Value& manifest) {
  const auto emptiest = std::ranges::min_element(pieces, {}, &Piece::size);
  if (emptiest != pieces.end() && emptiest->size + size_of(manifest) < view.size_max) {
    return *emptiest;
  }
  return pieces.emplace_back(Piece{.name = free_name(view, pieces)});
}

Value new_work(const WorksView& view, const std::string& name) {
  return Value::object(
      {{"apiVersion", "work.open-cluster-management.io/v1"},
       {"kind", "ManifestWork"},
       {"metadata", Value::object({{"name", name}, {"namespace", view.key.cluster}})}});
}

Value delete_option(std::span<const Value> manifests) {
  Value rules = Value::array();
  for (const Value& manifest : manifests) {
    const ManifestName name = name_of_manifest(manifest);
    if (!api::Metadata(manifest).annotations().has(kDeletionOrphanAnnotation)) continue;
    Value rule =
        Value::object({{"resource", guessed_resource(name.kind)}, {"name", name.object.name}});
    if (!name.group.empty()) rule["group"] = name.group;
    if (!name.object.object_namespace.empty()) rule["namespace"] = name.object.object_namespace;
    rules.push_back(std::move(rule));
  }
  if (rules.size() == 0) return {};
  return Value::object({{"propagationPolicy", "SelectivelyOrphan"},
                        {"selectivelyOrphans", Value::object({{"orphaningRules", rules}})}});
}

struct WorkContent {
  std::vector<Value> manifests;
  Value options;
  Value deletion = {};
};

// What others put on a work stays there.
Value with_content(Value work, const WorksView& view, WorkContent content) {
  Value& metadata = work["metadata"];
  metadata["labels"][kAddonNameLabel] = view.key.name;
  if (!view.config_hashes.empty()) {
    metadata["annotations"][kConfigHashAnnotation] = view.config_hashes;
  } else if (Value* annotations = metadata.find("annotations")) {
    annotations->erase(kConfigHashAnnotation);
  }
  metadata["ownerReferences"] = Value::array({view.owner.to_json()});
  Value manifests = Value::array();
  for (Value& manifest : content.manifests) manifests.push_back(std::move(manifest));
  Value spec = Value::object({{"workload", Value::object({{"manifests", std::move(manifests)}})}});
  if (content.options.size() > 0) {
    const Value& before = api::field(api::field(work, "spec"), "manifestConfigs");
    spec["manifestConfigs"] =
        are_same_options(before, content.options) ? before : std::move(content.options);
  }
  if (!content.deletion.is_null()) spec["deleteOption"] = std::move(content.deletion);
  work["spec"] = std::move(spec);
  return work;
}

bool is_hook(const Value& manifest) {
  const std::string kind = api::text_field(manifest, "kind");
  const api::Metadata metadata(manifest);
  return (kind == "Job" || kind == "Pod") &&
         (metadata.annotations().has(kPreDeleteHook) || metadata.labels().has(kPreDeleteHookLabel));
}

}  // namespace

bool is_deploy_work(const Value& work, std::string_view add_on) {
  return api::Metadata(work).name().starts_with(deploy_work_prefix(add_on) + "-");
}

std::vector<AddOnChange> plan_deploy_works(const WorksView& view) {
  std::vector<Value> deployed;
  for (const Value& manifest : view.manifests) {
    if (!is_hook(manifest)) deployed.push_back(manifest);
  }
  std::vector<const Value*> rest;
  for (const Value& manifest : deployed) rest.push_back(&manifest);
  std::vector<Piece> pieces = keep_pieces(view, rest);
  for (const Value* manifest : rest) put(piece_for(view, pieces, *manifest), *manifest);

  const Value options = manifest_options(deployed, view.options);
  const Value deletion = delete_option(deployed);
  std::vector<AddOnChange> changes;
  for (Piece& piece : pieces) {
    AddOnChange change{.before = piece.before};
    if (!piece.manifests.empty()) {
      change.after = with_content(piece.before ? *piece.before : new_work(view, piece.name), view,
                                  {std::move(piece.manifests), options, deletion});
    }
    if (change.before && change.after && *change.before == *change.after) continue;
    if (change.before && !change.after && api::read_facts(*change.before).is_deleting) continue;
    changes.push_back(std::move(change));
  }
  return changes;
}

std::optional<Value> make_hook_work(const WorksView& view) {
  WorkContent content{.manifests = {}, .options = Value::array()};
  for (const Value& manifest : view.manifests) {
    if (!is_hook(manifest)) continue;
    const ManifestName name = name_of_manifest(manifest);
    content.options.push_back(
        well_known_option({name.group, guessed_resource(name.kind)}, name.object));
    content.manifests.push_back(manifest);
  }
  if (content.manifests.empty()) return std::nullopt;
  const std::string name = hook_work_name(view.key.name);
  const auto known = std::ranges::find_if(
      view.existing, [&](const Value* work) { return api::Metadata(*work).name() == name; });
  WorksView without_hashes = view;
  without_hashes.config_hashes.clear();
  return with_content(known == view.existing.end() ? new_work(view, name) : **known, without_hashes,
                      std::move(content));
}

std::optional<AddOnChange> plan_hook_work(const WorksView& view) {
  std::optional<Value> after = make_hook_work(view);
  if (!after) return std::nullopt;
  const auto known = std::ranges::find_if(view.existing, [&](const Value* work) {
    return api::Metadata(*work).name() == api::Metadata(*after).name();
  });
  const Value* before = known == view.existing.end() ? nullptr : *known;
  if (before && *before == *after) return std::nullopt;
  return AddOnChange{.before = before, .after = std::move(after)};
}

bool is_hook_complete(const Value& work) {
  if (!api::is_condition_true(work, "Available")) return false;
  const auto options = api::elements_field(api::field(work, "spec"), "manifestConfigs");
  return !options.empty() && std::ranges::all_of(options, [&](const Value& option) {
    const Value& target = api::field(option, "resourceIdentifier");
    const bool is_job = api::text_field(target, "resource") == "jobs";
    const Value* value = find_feedback(work, target, is_job ? "JobComplete" : "PodPhase");
    return value && api::text_field(*value, "string") == (is_job ? "True" : "Succeeded");
  });
}

}  // namespace berth::fleet
