#include "apiserver/discovery/published.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace berth::apiserver {
namespace {

constexpr std::array<std::string_view, 8> kCustomVerbs = {
    "delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};

}  // namespace

json::Value texts_value(const std::vector<std::string>& texts) {
  json::Value value = json::Value::array();
  for (const std::string& text : texts) value.push_back(text);
  return value;
}

json::Value published_verbs(const Resource& resource) {
  if (!resource.custom) return texts_value(resource.verbs);
  json::Value verbs = json::Value::array();
  for (const std::string_view verb : kCustomVerbs) {
    if (resource.has_verb(verb)) verbs.push_back(verb);
  }
  return verbs;
}

std::vector<Subresource> published_subresources(const Resource& resource) {
  std::vector<Subresource> subresources = resource.subresources;
  if (resource.custom) std::ranges::reverse(subresources);
  return subresources;
}

bool is_of_other_version(const Subresource& subresource, const Resource& parent) {
  return subresource.kind.group != parent.gvr.group ||
         subresource.kind.version != parent.gvr.version;
}

}  // namespace berth::apiserver
