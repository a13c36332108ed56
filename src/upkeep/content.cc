#include "upkeep/content.h"

#include <algorithm>

#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::upkeep {

Content content_of(const api::Gvr& resource, const json::Value& list) {
  Content content{.resource = resource};
  for (const json::Value& item : api::elements_field(list, "items")) {
    const api::Metadata metadata(item);
    ++content.count;
    ++content.by_namespace[std::string(metadata.namespace_name())];
    for (const std::string_view finalizer : metadata.finalizers()) {
      ++content.finalizers[std::string(finalizer)];
    }
    const std::int64_t seconds =
        api::integer_field(api::field(item, "metadata"), "deletionGracePeriodSeconds").value_or(0);
    constexpr std::int64_t kLongest = 24 * 3600;
    content.grace = std::max<Duration>(
        content.grace, std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kLongest)));
  }
  const auto more = api::integer_field(api::field(list, "metadata"), "remainingItemCount");
  content.count += std::max<std::int64_t>(more.value_or(0), 0);
  return content;
}

}  // namespace berth::upkeep
