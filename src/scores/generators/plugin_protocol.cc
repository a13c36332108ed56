#include "scores/generators/plugin_protocol.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"
#include "scores/normalise.h"

namespace berth::scores {
namespace {

constexpr std::size_t kDepthMax = 16;
constexpr std::size_t kErrorTextMax = 512;

std::unexpected<Error> nonsense(std::string message) {
  return failure(Code::Invalid, "its answer cannot be used: " + std::move(message));
}

Result<double> read_value(const json::Value& item) {
  if (const json::Value* error = item.find("error"); error && !error->is_null()) {
    return failure(Code::ServiceUnavailable,
                   "it says: " + std::string(cut_utf8(error->string_or_empty(), kErrorTextMax)));
  }
  const auto value = api::field(item, "value").as_double();
  if (!value) return failure(Code::Invalid, "its answer has neither a value nor an error for this");
  if (!(*value >= kScoreMin && *value <= kScoreMax)) {
    return failure(Code::Invalid, fmt::format("it answered {}, which is not from {} to {}", *value,
                                              kScoreMin, kScoreMax));
  }
  return *value;
}

}  // namespace

std::string plugin_request(const api::ObjectKey& generator, const PluginSection& section) {
  return json::print(json::Value::object(
      {{"protocol", kPluginProtocol},
       {"plugin", section.plugin},
       {"generator", json::Value::object({{"namespace", generator.ns}, {"name", generator.name}})},
       {"entries", section.entries}}));
}

Result<PluginScores> read_plugin_answer(std::string_view text, const PluginSection& section) {
  auto answer = json::parse(text, {.depth_max = kDepthMax, .size_max = kPluginOutputMax});
  if (!answer.ok()) return nonsense("no JSON document, " + answer.error().message);
  const std::string_view protocol = api::field(*answer, "protocol").string_or_empty();
  if (protocol != kPluginProtocol) {
    return nonsense(fmt::format("protocol is {}, expected {}", quote(cut_utf8(protocol, 64)),
                                quote(kPluginProtocol)));
  }
  if (!api::field(*answer, "scores").is_array()) return nonsense("scores is no list");

  PluginScores scores;
  for (const std::string& name : section.names) {
    scores.emplace(name, failure(Code::Invalid, "it did not answer for this name"));
  }
  std::set<std::string, std::less<>> seen;
  for (const json::Value& item : api::elements_field(*answer, "scores")) {
    const auto score = scores.find(api::text_field(item, "name"));
    if (score == scores.end()) continue;
    if (seen.insert(score->first).second) {
      score->second = read_value(item);
    } else {
      score->second = failure(Code::Invalid, "it answered twice for this name");
    }
  }
  return scores;
}

}  // namespace berth::scores
