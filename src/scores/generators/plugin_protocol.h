// What the agent and a plugin say to each other: one JSON document each way, version 1.
//
// The plugin reads on its standard input
//   {"protocol": "berth-score-plugin/1", "plugin": "otherPlugin",
//    "generator": {"namespace": "cluster1", "name": "cluster1-generator"},
//    "entries": [{"name": "score-name", "optionConsumedByPlugin": "optionValue"}]}
// and prints
//   {"protocol": "berth-score-plugin/1",
//    "scores": [{"name": "score-name", "value": 42}, {"name": "other", "error": "why not"}]}

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "api/object_key.h"
#include "base/result.h"
#include "scores/generators/generator.h"

namespace berth::scores {

inline constexpr std::string_view kPluginProtocol = "berth-score-plugin/1";
inline constexpr std::size_t kPluginOutputMax = 256 * 1024;

std::string plugin_request(const api::ObjectKey& generator, const PluginSection& section);

// For every name of the section its number, from -100 to 100, or why there is none.
using PluginScores = std::map<std::string, Result<double>>;

// An error says that nothing of the answer can be used. Names that were not asked for are ignored.
Result<PluginScores> read_plugin_answer(std::string_view text, const PluginSection& section);

}  // namespace berth::scores
