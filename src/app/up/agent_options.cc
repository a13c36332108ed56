// Tested by tests/kube/up_test.cc.
#include "app/up/agent_options.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::app {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kShippedText = R"(score-sets=seed\nscore-refresh=60s)";
constexpr std::string_view kShipped[] = {"score-sets=seed", "score-refresh=60s"};
constexpr std::string_view kLineEnd = R"(\n)";  // As the add-on's configuration writes it.
constexpr std::string_view kScoreName = "score-name";

std::string_view name_of(std::string_view option) { return option.substr(0, option.find('=')); }

}  // namespace

std::string with_agent_options(std::string text, const std::vector<std::string>& options) {
  std::vector<std::string> lines = options;
  for (const std::string_view shipped : kShipped) add_agent_option(lines, std::string(shipped));
  const std::size_t at = text.find(kShippedText);
  if (at == std::string::npos) return text;
  return text.replace(at, kShippedText.size(), join(lines, kLineEnd));
}

void add_agent_option(std::vector<std::string>& options, std::string option) {
  const bool is_there = std::ranges::any_of(
      options, [&option](const std::string& other) { return name_of(other) == name_of(option); });
  if (!is_there) options.push_back(std::move(option));
}

Status check_agent_option(const std::string& option) {
  if (!option.contains('=') || option.starts_with('-')) {
    return failure(Code::BadRequest, fmt::format("--agent-option: {} is not NAME=VALUE, such as "
                                                 "score-name=test-score1",
                                                 quote(option)));
  }
  if (option.find_first_of("'\"\\\n{}") != std::string::npos) {
    return failure(
        Code::BadRequest,
        fmt::format("--agent-option: {} has a quote, a brace or a backslash", quote(option)));
  }
  return {};
}

std::string published_score(const std::vector<std::string>& options) {
  const auto named = std::ranges::find_if(
      options, [](const std::string& option) { return name_of(option) == kScoreName; });
  return named == options.end() ? "resource-usage-score" : named->substr(kScoreName.size() + 1);
}

std::vector<std::string> pace_of(const local::Scenario* scenario) {
  if (!scenario) return {"score-change-interval=1s"};
  return {fmt::format("score-refresh={}ms", scenario->score_refresh / 1ms),
          fmt::format("score-change-interval={}ms", scenario->score_change_interval() / 1ms)};
}

}  // namespace berth::app
