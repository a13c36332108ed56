// What has to go from a cluster's namespace before the cluster itself may: add-ons first, then
// works, then what OCM leaves behind. Within a kind one priority after the other.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"

namespace berth::fleet {

// In the order of their removal.
enum class Content : std::uint8_t { Addons, Works, Scores };
inline constexpr Content kContents[] = {Content::Addons, Content::Works, Content::Scores};

std::string_view content_name(Content content);  // "managedclusteraddons" and so on.

// What is there of one kind.
struct Remainder {
  Content content = Content::Addons;
  std::vector<json::Value> objects = {};
};

// The names of those to delete now: the lowest annotation
// open-cluster-management.io/cleanup-priority (0 to 100; anything else counts as 0) of those that
// are not being deleted, while none with a lower one is left. Sorted.
std::vector<std::string> next_to_remove(std::span<const json::Value> objects);

// The cluster with the condition Deleting: what is left, nothing, or why it does not get on.
json::Value with_remaining(json::Value cluster, const Remainder& remainder, Time now);
json::Value with_nothing_remaining(json::Value cluster, Time now);
json::Value with_removal_error(json::Value cluster, std::string_view message, Time now);

}  // namespace berth::fleet
