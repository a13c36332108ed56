#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "local/scenario.h"
#include "local/scenario_play.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scenario = local::read_scenario(text);
  if (!scenario.ok()) {
    CHECK(!scenario.error().message.empty());
    return 0;
  }
  local::ScenarioJudge judge(*scenario);
  Duration last = Duration::zero();
  for (const local::ScenarioStep& step : scenario->timeline) {
    CHECK(step.at >= last);
    last = step.at;
    for (const Duration moment : {step.at, step.at + step.over / 2}) {
      const auto scene = local::scene_at(*scenario, moment);
      CHECK(scene.size() == scenario->clusters.size());
      for (const auto& [name, cluster] : scene) CHECK(cluster.load >= 0 && cluster.load <= 100);
    }
  }
  const Duration end = last + std::chrono::hours(100);
  judge.look(end, {});
  CHECK(judge.is_over(end));
  CHECK(judge.failures() <= judge.expectations());
  return 0;
}
