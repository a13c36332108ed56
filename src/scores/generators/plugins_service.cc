#include "scores/generators/plugins_service.h"

#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::scores {
namespace {

constexpr std::size_t kComplaintMax = 300;

// What programs say last is what matters.
std::string_view last_line(std::string_view text) {
  text = trim(text);
  const std::size_t newline = text.rfind('\n');
  return cut_utf8(newline == std::string_view::npos ? text : text.substr(newline + 1),
                  kComplaintMax);
}

}  // namespace

bool Plugins::has(std::string_view plugin) const {
  if (options_.directory.empty() || !is_plugin_name(plugin)) return false;
  return disk_.exists(fmt::format("{}/{}", options_.directory, plugin)).value_or(false);
}

void Plugins::run(const api::ObjectKey& generator, const PluginSection& section, Done done) {
  // With a '/' in it, so that PATH is not searched; without a directory it is nowhere.
  env::Command command{
      .program =
          fmt::format("{}/{}", options_.directory.empty() ? "/nonexistent" : options_.directory,
                      section.plugin),
      .environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                      {"LANG", "C.UTF-8"},
                      {"BERTH_SCORE_PLUGIN_PROTOCOL", std::string(kPluginProtocol)}},
      .environment_use = env::ChildEnvironment::Alone,
      .input = env::ChildInput::Text,
      .text = plugin_request(generator, section),
      .errors = env::ChildErrors::Kept,
      .orphans = env::ChildOrphans::Killed,
      .output_max = kPluginOutputMax,
      .timeout = options_.timeout};
  processes_.run(std::move(command),
                 [this, section, done = std::move(done)](Result<env::Exit> exit) mutable {
                   done(read(section, exit));
                 });
}

Result<PluginScores> Plugins::read(const PluginSection& section,
                                   const Result<env::Exit>& exit) const {
  if (!exit.ok()) {
    const Error& error = exit.error();
    if (error.code == Code::Timeout) {
      return failure(error.code,
                     fmt::format("PluginTimeout: {} ran longer than {} ms and was killed",
                                 section.plugin, options_.timeout / std::chrono::milliseconds(1)));
    }
    if (error.code == Code::RequestEntityTooLarge) {
      return failure(error.code,
                     fmt::format("PluginOutputTooLarge: {} printed more than {} bytes and was "
                                 "killed; it should print one small JSON document",
                                 section.plugin, kPluginOutputMax));
    }
    if (options_.directory.empty()) {
      return failure(Code::NotFound,
                     fmt::format("PluginNotFound: the agent has no plugins; start it with "
                                 "--plugin-dir, or remove spec.{}",
                                 section.plugin));
    }
    return failure(Code::NotFound,
                   fmt::format("PluginNotFound: {}/{} cannot be run ({}); put an executable there, "
                               "or remove spec.{}",
                               options_.directory, section.plugin, error.message, section.plugin));
  }
  if (exit->status != 0) {
    return failure(Code::InternalError,
                   fmt::format("PluginFailed: {} ended with status {}: {}", section.plugin,
                               exit->status, last_line(exit->errors)));
  }
  auto scores = read_plugin_answer(exit->output, section);
  if (scores.ok()) return scores;
  return failure(Code::Invalid, fmt::format("PluginAnswerInvalid: {}: {}", section.plugin,
                                            scores.error().message));
}

}  // namespace berth::scores
