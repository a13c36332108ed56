#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "scores/generators/plugin_protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::scores;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const PluginSection section{.plugin = "p", .names = {"a", "b"}};
  const auto scores = read_plugin_answer(text, section);
  if (!scores.ok()) return 0;
  CHECK(scores->size() == section.names.size());
  for (const auto& [name, score] : *scores) {
    CHECK(score.ok() ? *score >= -100 && *score <= 100 : !score.error().message.empty());
  }
  return 0;
}
