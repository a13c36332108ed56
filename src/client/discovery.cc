#include "client/discovery.h"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::client {
namespace {

std::vector<std::string> texts_of(const json::Value& object, std::string_view name) {
  std::vector<std::string> texts;
  const json::Value* member = object.find(name);
  if (!member) return texts;
  for (const json::Value& element : member->elements()) {
    if (!element.string_or_empty().empty()) texts.emplace_back(element.string_or_empty());
  }
  return texts;
}

std::span<const json::Value> list_of(const json::Value& object, std::string_view name) {
  const json::Value* member = object.find(name);
  return member ? member->elements() : std::span<const json::Value>();
}

Error unexpected(std::string_view wanted, const json::Value& document) {
  return {.code = Code::InternalError,
          .message = fmt::format("discovery: expected kind {}, found {}", wanted,
                                 quote(api::text_field(document, "kind")))};
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

// How well a resource answers to a name; lower is better, 0 is not at all.
int rank_of_name(const ResourceInfo& info, std::string_view name) {
  if (name.empty()) return 0;
  if (info.gvr.resource == name) return 1;
  if (info.singular == name) return 2;
  if (contains(info.short_names, name)) return 3;
  if (info.kind == name || lower_ascii(info.kind) == name) return 4;
  return 0;
}

bool group_matches(std::string_view group, std::string_view asked) {
  if (asked.empty() || group == asked) return true;
  return group.starts_with(asked) && group.substr(asked.size()).starts_with('.');
}

}  // namespace

bool ResourceInfo::allows(std::string_view verb) const { return contains(verbs, verb); }

bool is_aggregated(std::string_view content_type) {
  bool group = false;
  bool version = false;
  bool as = false;
  for (const std::string_view part : split(content_type, ';')) {
    const std::string_view parameter = trim(part);
    group = group || parameter == "g=apidiscovery.k8s.io";
    version = version || parameter == "v=v2";
    as = as || parameter == "as=APIGroupDiscoveryList";
  }
  return group && version && as;
}

Status Discovery::add(ResourceInfo info) {
  if (resources_.size() >= kResourcesMax) {
    return failure(Code::RequestEntityTooLarge,
                   fmt::format("discovery: more than {} resources", kResourcesMax));
  }
  resources_.push_back(std::move(info));
  return {};
}

Status Discovery::add_aggregated(const json::Value& document) {
  if (api::text_field(document, "kind") != "APIGroupDiscoveryList") {
    return failure(unexpected("APIGroupDiscoveryList", document));
  }
  for (const json::Value& item : list_of(document, "items")) {
    const json::Value* name = item.find_path({"metadata", "name"});
    Group group{.name = std::string(name ? name->string_or_empty() : ""), .versions = {}};
    for (const json::Value& version : list_of(item, "versions")) {
      const std::string version_name = api::text_field(version, "version");
      if (version_name.empty()) continue;
      group.versions.push_back(version_name);
      for (const json::Value& entry : list_of(version, "resources")) {
        const json::Value* kind = entry.find_path({"responseKind", "kind"});
        ResourceInfo info{.gvr = {group.name, version_name, api::text_field(entry, "resource")},
                          .kind = std::string(kind ? kind->string_or_empty() : ""),
                          .singular = api::text_field(entry, "singularResource"),
                          .namespaced = api::text_field(entry, "scope") == "Namespaced",
                          .verbs = texts_of(entry, "verbs"),
                          .short_names = texts_of(entry, "shortNames"),
                          .categories = texts_of(entry, "categories")};
        if (info.kind.empty() || info.gvr.resource.empty()) continue;
        for (const json::Value& below : list_of(entry, "subresources")) {
          info.subresources.push_back(api::text_field(below, "subresource"));
        }
        RETURN_IF_ERROR(add(std::move(info)));
      }
    }
    groups_.push_back(std::move(group));
  }
  return {};
}

Status Discovery::add_legacy_groups(const json::Value& document) {
  const std::string kind = api::text_field(document, "kind");
  if (kind == "APIVersions") {
    groups_.push_back({.name = "", .versions = texts_of(document, "versions")});
    return {};
  }
  if (kind != "APIGroupList") return failure(unexpected("APIVersions or APIGroupList", document));
  for (const json::Value& entry : list_of(document, "groups")) {
    Group group{.name = api::text_field(entry, "name"), .versions = {}};
    for (const json::Value& version : list_of(entry, "versions")) {
      group.versions.push_back(api::text_field(version, "version"));
    }
    const json::Value* preferred = entry.find_path({"preferredVersion", "version"});
    const auto first = preferred ? std::ranges::find(group.versions, preferred->string_or_empty())
                                 : group.versions.end();
    if (first != group.versions.end()) std::rotate(group.versions.begin(), first, first + 1);
    groups_.push_back(std::move(group));
  }
  return {};
}

Status Discovery::add_legacy_resources(const json::Value& document) {
  if (api::text_field(document, "kind") != "APIResourceList") {
    return failure(unexpected("APIResourceList", document));
  }
  ASSIGN_OR_RETURN(const GroupVersion served,
                   api::parse_group_version(api::text_field(document, "groupVersion")));
  for (const json::Value& entry : list_of(document, "resources")) {
    const std::string name = api::text_field(entry, "name");
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos) {
      const std::string parent = name.substr(0, slash);
      for (ResourceInfo& info : resources_) {
        const bool ours = info.gvr == Gvr{served.group, served.version, parent};
        if (ours) info.subresources.push_back(name.substr(slash + 1));
      }
      continue;
    }
    const json::Value* namespaced = entry.find("namespaced");
    ResourceInfo info{.gvr = {served.group, served.version, name},
                      .kind = api::text_field(entry, "kind"),
                      .singular = api::text_field(entry, "singularName"),
                      .namespaced = namespaced && namespaced->as_bool().value_or(false),
                      .verbs = texts_of(entry, "verbs"),
                      .short_names = texts_of(entry, "shortNames"),
                      .categories = texts_of(entry, "categories")};
    if (!info.kind.empty() && !name.empty()) RETURN_IF_ERROR(add(std::move(info)));
  }
  sort();
  return {};
}

// Legacy answers come one by one, in any order.
void Discovery::sort() {
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const Group& group : groups_) {
    for (const std::string& version : group.versions) {
      places.emplace(std::pair(group.name, version), places.size());
    }
  }
  const auto place = [&](const ResourceInfo& info) {
    const auto found = places.find({info.gvr.group, info.gvr.version});
    return std::tuple(found == places.end() ? places.size() : found->second,
                      std::string_view(info.gvr.resource));
  };
  std::ranges::sort(resources_, std::less<>(), place);
}

std::vector<std::string> Discovery::legacy_paths() const {
  std::vector<std::string> paths;
  for (const Group& group : groups_) {
    for (const std::string& version : group.versions) {
      paths.push_back(group.name.empty() ? "/api/" + version
                                         : "/apis/" + group.name + "/" + version);
    }
  }
  return paths;
}

const ResourceInfo* Discovery::find(const Gvk& gvk) const {
  const auto found = std::ranges::find(resources_, gvk, &ResourceInfo::gvk);
  return found == resources_.end() ? nullptr : &*found;
}

const ResourceInfo* Discovery::find(const Gvr& gvr) const {
  const auto found = std::ranges::find(resources_, gvr, &ResourceInfo::gvr);
  return found == resources_.end() ? nullptr : &*found;
}

const ResourceInfo* Discovery::find_kind(std::string_view group, std::string_view kind) const {
  const auto found = std::ranges::find_if(resources_, [&](const ResourceInfo& info) {
    return info.gvr.group == group && info.kind == kind;
  });
  return found == resources_.end() ? nullptr : &*found;
}

const ResourceInfo* Discovery::match(std::string_view name, std::string_view version,
                                     std::string_view group) const {
  const ResourceInfo* best = nullptr;
  int best_rank = 0;
  for (const ResourceInfo& info : resources_) {
    if (!version.empty() && info.gvr.version != version) continue;
    if (!group_matches(info.gvr.group, group)) continue;
    const int rank = rank_of_name(info, name);
    const bool better = rank > 0 && (!best || rank < best_rank);
    if (better) {
      best = &info;
      best_rank = rank;
    }
  }
  return best;
}

Result<ResourceInfo> Discovery::resolve(std::string_view text) const {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) {
    if (const ResourceInfo* found = match(text, "", "")) return *found;
  } else {
    const std::string_view name = text.substr(0, dot);
    const std::string_view rest = text.substr(dot + 1);
    // TYPE.VERSION.GROUP first: "v1" might also be the start of a group.
    const std::size_t second = rest.find('.');
    const std::string_view version = rest.substr(0, second);
    const std::string_view group =
        second == std::string_view::npos ? std::string_view() : rest.substr(second + 1);
    const ResourceInfo* found = match(name, version, group);
    if (!found) found = match(name, "", rest);
    if (found) return *found;
  }
  return failure(Code::NotFound, fmt::format("the server has no resource type {}", quote(text)));
}

}  // namespace berth::client
