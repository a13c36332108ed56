#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "scores/usage/resource_usage.h"
#include "scores/usage/usage_options.h"

// What can be read can be measured with.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace scores = berth::scores;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  scores::UsageOptions options{.resources = {}};
  if (auto resource = scores::parse_resource(text); resource.ok()) options.resources = {*resource};
  if (auto shape = scores::parse_shape(text); shape.ok()) options.shapes = {*shape};
  (void)scores::parse_allowed_taint(text);
  (void)scores::parse_score_set(text);
  if (options.resources.empty() && options.shapes.empty()) return 0;
  CHECK(scores::check_usage_options(options).ok());
  for (const scores::Score& score : scores::ResourceUsage(options).scores())
    CHECK(score.value >= scores::kScoreMin);
  return 0;
}
