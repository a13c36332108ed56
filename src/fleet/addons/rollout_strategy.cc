#include "fleet/addons/rollout_strategy.h"

#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "cel/time_arithmetic.h"

namespace berth::fleet {
namespace {

api::GroupSize read_size(const json::Value& size) {
  if (const auto number = size.as_int()) return *number;
  const std::string text(size.string_or_empty());
  if (text.empty()) return std::int64_t{0};
  return text;
}

Result<double> percentage(const std::string& text) {
  double percent = 0;
  const char* end = text.data() + text.size() - 1;
  if (!text.ends_with('%')) end = text.data();
  const auto [rest, error] = std::from_chars(text.data(), end, percent);
  if (error != std::errc() || rest != end || !std::isfinite(percent)) {
    return failure(Code::Invalid, fmt::format("\"{}\" is neither a number nor a percentage", text));
  }
  return percent;
}

Result<std::optional<Duration>> read_deadline(const std::string& text) {
  if (text.empty() || text == "None") return std::nullopt;
  const auto length = cel::parse_duration(text);
  if (!length || *length < Duration::zero()) {
    return failure(Code::Invalid, fmt::format("progressDeadline \"{}\" is no length of time like "
                                              "10m, nor None",
                                              text));
  }
  return length;
}

std::vector<MandatoryGroup> read_mandatory(const json::Value& part) {
  std::vector<MandatoryGroup> groups;
  for (const json::Value& group : api::elements_field(part, "mandatoryDecisionGroups")) {
    groups.push_back({.name = api::text_field(group, "groupName"),
                      .index = api::int32_field(group, "groupIndex").value_or(0)});
  }
  return groups;
}

}  // namespace

Result<RolloutStrategy> read_rollout_strategy(const json::Value& strategy) {
  const std::string type = api::text_field(strategy, "type");
  RolloutStrategy read;
  std::string_view part_name = "all";
  if (type == "Progressive") {
    read.type = RolloutType::Progressive;
    part_name = "progressive";
  } else if (type == "ProgressivePerGroup") {
    read.type = RolloutType::ProgressivePerGroup;
    part_name = "progressivePerGroup";
  } else if (!type.empty() && type != "All") {
    return failure(Code::Invalid,
                   fmt::format("rolloutStrategy type \"{}\" is none of All, Progressive and "
                               "ProgressivePerGroup",
                               type));
  }
  const json::Value& part = api::field(strategy, part_name);
  ASSIGN_OR_RETURN(read.deadline, read_deadline(api::text_field(part, "progressDeadline")));
  if (read.type == RolloutType::All) return read;

  read.mandatory = read_mandatory(part);
  read.concurrency = read_size(api::field(part, "maxConcurrency"));
  read.failures_max = read_size(api::field(part, "maxFailures"));
  if (const std::string text = api::text_field(part, "minSuccessTime"); !text.empty()) {
    const auto length = cel::parse_duration(text);
    if (!length) {
      return failure(Code::Invalid,
                     fmt::format("minSuccessTime \"{}\" is no length of time like 5m", text));
    }
    read.success_time_min = *length;
  }
  for (const api::GroupSize* size : {&read.concurrency, &read.failures_max}) {
    RETURN_IF_ERROR(portion_of(*size, {}));
  }
  return read;
}

Result<std::size_t> portion_of(const api::GroupSize& size, const PortionOptions& options) {
  double wanted = 0;
  if (const auto* number = std::get_if<std::int64_t>(&size)) {
    wanted = static_cast<double>(*number);
  } else {
    ASSIGN_OR_RETURN(const double percent, percentage(std::get<std::string>(size)));
    wanted = std::ceil(percent / 100 * static_cast<double>(options.total));
  }
  if (wanted <= 0 || wanted > static_cast<double>(options.total)) return options.otherwise;
  return static_cast<std::size_t>(wanted);
}

}  // namespace berth::fleet
