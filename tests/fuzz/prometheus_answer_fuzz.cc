#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "scores/sources/fleet_samples.h"
#include "scores/sources/fleet_scores.h"
#include "scores/sources/prometheus_answer.h"

// A server may send what it likes: a cluster's number is one, its time is not in the future, and
// its score is within the range.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::scores;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const int status = size > 0 && data[0] == '{' ? 200 : 500;
  const auto answer = read_prometheus_answer(status, text, "cluster");
  if (!answer.ok()) return 0;
  const berth::Time now = berth::Time::from_unix(1'800'000'000);
  const FleetSamples samples =
      match_series(answer->series, names_by_name({"a", "b", "rome", "oslo"}), now);
  for (const auto& [cluster, measurement] : samples.clusters) {
    CHECK(std::isfinite(measurement.number));
    CHECK(measurement.sampled <= now);
  }
  for (const auto type : {FleetNormaliser::Type::Bounds, FleetNormaliser::Type::FleetRange,
                          FleetNormaliser::Type::FleetRank}) {
    for (const auto& [cluster, score] :
         score_fleet(samples.clusters, FleetNormaliser{.type = type})) {
      CHECK(score >= kScoreMin && score <= kScoreMax);
    }
  }
  return 0;
}
