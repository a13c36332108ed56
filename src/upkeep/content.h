// What is left of a collection that is being emptied: how many objects, what holds them back, and
// how long they ask for.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/group_version.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::upkeep {

struct Content {
  api::Gvr resource;
  std::int64_t count = 0;
  std::map<std::string, std::int64_t> finalizers = {};    // In how many objects each stands.
  std::map<std::string, std::int64_t> by_namespace = {};  // "" for cluster-scoped objects.
  Duration grace = Duration::zero();                      // The longest that an object still takes.
};

// From one page of a list, whole or of metadata only. What the page leaves out is counted too; its
// finalizers and namespaces are not known.
Content content_of(const api::Gvr& resource, const json::Value& list);

}  // namespace berth::upkeep
