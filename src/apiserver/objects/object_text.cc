#include "apiserver/objects/object_text.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kVersionName = "\"apiVersion\":\"";

// The order in which Kubernetes prints them; what is not here follows.
constexpr std::array<std::string_view, 4> kBeforeVersion = {"name", "generateName", "namespace",
                                                            "uid"};
constexpr std::array<std::string_view, 10> kAfterVersion = {
    "generation",    "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
    "labels",        "annotations",       "ownerReferences",   "finalizers",
    "managedFields", "resourceVersion"};

bool is_placed(std::string_view name) {
  return std::ranges::find(kBeforeVersion, name) != kBeforeVersion.end() ||
         std::ranges::find(kAfterVersion, name) != kAfterVersion.end();
}

void append_member(std::string& text, std::string_view name, const json::Value& value) {
  json::append_quoted(text, name);
  text += ':';
  json::append(text, value);
}

void append_if_there(std::string& text, const json::Value& metadata, std::string_view name,
                     std::string_view before, std::string_view after) {
  const json::Value* value = metadata.find(name);
  if (!value) return;
  text += before;
  append_member(text, name, *value);
  text += after;
}

// The place of the digits.
std::uint32_t append_metadata(std::string& text, const json::Value& metadata) {
  text += "\"metadata\":{";
  for (const std::string_view name : kBeforeVersion) {
    append_if_there(text, metadata, name, "", ",");
  }
  text += "\"resourceVersion\":\"";
  const auto at = static_cast<std::uint32_t>(text.size());
  text += '"';
  for (const std::string_view name : kAfterVersion) {
    if (name != "resourceVersion") append_if_there(text, metadata, name, ",", "");
  }
  for (const json::Member& member : metadata.members()) {
    if (!is_placed(member.name())) append_if_there(text, metadata, member.name(), ",", "");
  }
  text += '}';
  return at;
}

// Where the value of apiVersion begins and how long it is.
std::pair<std::size_t, std::size_t> find_api_version(std::string_view text) {
  const std::size_t name = text.find(kVersionName);
  CHECK(name != std::string_view::npos);
  const std::size_t begin = name + kVersionName.size();
  return {begin, text.find('"', begin) - begin};
}

}  // namespace

store::Draft draft_of(const json::Value& object) {
  const json::Value* kind = object.find("kind");
  const json::Value* version = object.find("apiVersion");
  const json::Value* metadata = object.find("metadata");
  CHECK(kind && version && metadata);

  store::Draft draft;
  std::string& text = draft.text;
  text += '{';
  append_member(text, "kind", *kind);
  text += ',';
  append_member(text, "apiVersion", *version);
  text += ',';
  draft.version_at = append_metadata(text, *metadata);
  for (const json::Member& member : object.members()) {
    const std::string_view name = member.name();
    if (name == "kind" || name == "apiVersion" || name == "metadata") continue;
    text += ',';
    append_member(text, name, member.value);
  }
  text += '}';
  return draft;
}

std::string_view api_version_of(std::string_view text) {
  const auto [begin, size] = find_api_version(text);
  return text.substr(begin, size);
}

std::string with_api_version(std::string_view text, std::string_view api_version) {
  const auto [begin, size] = find_api_version(text);
  std::string changed;
  changed.reserve(text.size() - size + api_version.size());
  changed += text.substr(0, begin);
  changed += api_version;
  changed += text.substr(begin + size);
  return changed;
}

}  // namespace berth::apiserver
