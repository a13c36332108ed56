// Does Berth's placement engine decide exactly as Open Cluster Management's controller? Random
// fleets and edits, compared after every edit. What it answered once is in tests/recorded/, where
// every run of the tests asks the engine the same.
//
//   BERTH_COMPARISON_SEED=1     the first fleet's seed; each further fleet has the next one
//   BERTH_COMPARISON_FLEETS=4   how many; 25 edits each
//   BERTH_RECORD=FILE           writes down what OCM answers

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "kube/comparison/comparison.h"
#include "kube/comparison/hub.h"
#include "kube/comparison/recording.h"
#include "kube/crds.h"
#include "kube/ocm_controller.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr int kEditsPerFleet = 25;

std::int64_t number_from(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? parse_int64(text).value_or(otherwise) : otherwise;
}

// "ocm-v1.2.1": peers are in a folder of their name and version.
std::string version_of(const char* variable) {
  const char* program = std::getenv(variable);
  return program ? std::filesystem::path(program).parent_path().filename().string() : "";
}

Value head_of_recording(std::int64_t first, std::int64_t last) {
  const Time now(std::chrono::system_clock::now().time_since_epoch());
  return Value::object({{"reference", version_of("BERTH_OCM_PLACEMENT")},
                        {"server", version_of("BERTH_KUBE_APISERVER")},
                        {"recorded", format_seconds(now)},
                        {"seeds", Value::array({first, last})},
                        {"edits", kEditsPerFleet}});
}

TEST(PlacementComparison, TheEngineDecidesAsOcmDoes) {
  const std::int64_t first = number_from("BERTH_COMPARISON_SEED", 1);
  const std::int64_t last = first + number_from("BERTH_COMPARISON_FLEETS", 4) - 1;
  std::optional<Recorder> recorder;
  if (const char* file = std::getenv("BERTH_RECORD")) {
    auto created = Recorder::create(file, head_of_recording(first, last));
    ASSERT_TRUE(created.ok()) << created.error().message;
    recorder = *std::move(created);
  }
  auto server = start_with_berth_crds();
  ASSERT_TRUE(server.ok()) << server.error().message;
  auto controller = OcmController::start(**server);
  ASSERT_TRUE(controller.ok()) << controller.error().message;
  auto hub = Hub::open(**server);
  ASSERT_TRUE(hub.ok()) << hub.error().message;
  Comparison comparison(**hub, *controller, recorder ? &*recorder : nullptr);

  for (std::int64_t seed = first; seed <= last; ++seed) {
    const auto difference = comparison.run_fleet(static_cast<std::uint64_t>(seed), kEditsPerFleet);
    ASSERT_TRUE(difference.ok()) << "seed " << seed << ": " << difference.error().message;
    EXPECT_FALSE(difference->has_value()) << **difference;
    ASSERT_TRUE(controller->running()) << "seed " << seed << ": see " << controller->log();
  }
  const ComparisonCounts& counts = comparison.counts();
  std::cout << fmt::format("seeds {}..{}: {}\n", first, last, counts.text());
  EXPECT_GT(counts.moves, counts.states / 4) << "hardly anything happened";
  // OCM may decide again before it has seen all that it wrote, and end elsewhere, but not often.
  EXPECT_LE(counts.elsewhere, counts.moves / 20) << "BERTH_RECORD and tests/recorded tell where";
}

}  // namespace
}  // namespace berth::kube
