#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/parse.h"
#include "scores/generators/generator.h"
#include "scores/generators/generator_template.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto object = json::parse(text, {.depth_max = 100, .size_max = 1 << 20});
  if (!object.ok()) return 0;
  scores::provider_of(*object);
  scores::read_generator_template(*object);
  const scores::GeneratorReading reading = scores::read_generator(*object, "cluster1", {});
  for (const scores::Problem& problem : reading.problems) {
    CHECK(!problem.reason.empty() && !problem.message.empty());
  }
  if (!reading.problems.empty()) return 0;
  CHECK(reading.generator.entry_count() > 0);
  CHECK(reading.generator.entry_count() <= scores::kEntriesMax);
  for (const scores::Latency& latency : reading.generator.latencies) {
    CHECK(!latency.name.empty() && !latency.location.host.empty());
    CHECK(latency.runs >= 1 && latency.runs <= scores::kRunsMax);
    CHECK(latency.interval >= std::chrono::seconds(10));
    CHECK(latency.location.authority.find('@') == std::string::npos);
    CHECK(latency.location.target.find_first_of(" \r\n") == std::string::npos);
  }
  for (const scores::PluginSection& section : reading.generator.sections) {
    CHECK(scores::is_plugin_name(section.plugin));
  }
  return 0;
}
