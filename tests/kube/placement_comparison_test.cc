// Does Berth's placement engine decide exactly as Open Cluster Management's controller? Random
// fleets and edits, compared after every edit.
//
//   BERTH_COMPARISON_SEED=1     the first fleet's seed; each further fleet has the next one
//   BERTH_COMPARISON_FLEETS=4   how many; 25 edits each

#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "kube/comparison/comparison.h"
#include "kube/comparison/hub.h"
#include "kube/crds.h"
#include "kube/ocm_controller.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

constexpr int kEditsPerFleet = 25;

std::int64_t number_from(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? parse_int64(text).value_or(otherwise) : otherwise;
}

TEST(PlacementComparison, TheEngineDecidesAsOcmDoes) {
  auto server = Server::start();
  ASSERT_TRUE(server.ok()) << server.error().message;
  ASSERT_TRUE(apply_berth_crds(**server).ok());
  auto controller = OcmController::start(**server);
  ASSERT_TRUE(controller.ok()) << controller.error().message;
  auto hub = Hub::open(**server);
  ASSERT_TRUE(hub.ok()) << hub.error().message;
  Comparison comparison(**hub, *controller);

  const std::int64_t first = number_from("BERTH_COMPARISON_SEED", 1);
  const std::int64_t fleets = number_from("BERTH_COMPARISON_FLEETS", 4);
  for (std::int64_t seed = first; seed < first + fleets; ++seed) {
    const auto difference = comparison.run_fleet(static_cast<std::uint64_t>(seed), kEditsPerFleet);
    ASSERT_TRUE(difference.ok()) << "seed " << seed << ": " << difference.error().message;
    EXPECT_FALSE(difference->has_value()) << **difference;
    ASSERT_TRUE(controller->running()) << "seed " << seed << ": see " << controller->log();
  }
  const ComparisonCounts& counts = comparison.counts();
  std::cout << fmt::format("seeds {}..{}: {}\n", first, first + fleets - 1, counts.text());
  EXPECT_GT(counts.moves, counts.steps / 4) << "hardly anything happened";
}

}  // namespace
}  // namespace berth::kube
