#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/parse.h"
#include "scores/sources/prometheus_query.h"
#include "scores/sources/score_source.h"

// Any document in the place of a ScoreSource; what is taken can be asked.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::scores;
  const auto document =
      berth::json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document.ok()) return 0;
  const auto source = read_score_source(*document);
  if (!source.ok()) {
    CHECK(source.error().message.starts_with("spec."));
    return 0;
  }
  for (const ScoreQuery& query : source->queries) {
    CHECK(!query_form(*source, query, berth::Time()).empty());
    CHECK(query.interval < source->valid_for);
  }
  CHECK(same_spec(*source, *source));
  return 0;
}
