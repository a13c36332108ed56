#include "apiserver/resource.h"

#include <algorithm>

namespace berth::apiserver {

bool Resource::has_verb(std::string_view verb) const {
  return std::ranges::binary_search(verbs, verb);
}

const Subresource* Resource::find_subresource(std::string_view name) const {
  const auto at = std::ranges::lower_bound(subresources, name, {}, &Subresource::name);
  return at != subresources.end() && at->name == name ? &*at : nullptr;
}

std::string Resource::api_version() const {
  return api::GroupVersion{.group = gvr.group, .version = gvr.version}.text();
}

}  // namespace berth::apiserver
