#include "api/kinds/cluster_taint.h"

#include <fmt/format.h>

#include "api/kinds/fields.h"

namespace berth::api {
namespace {

ClusterToleration::Operator operator_of_name(std::string_view name) {
  if (name.empty() || name == "Equal") return ClusterToleration::Operator::Equal;
  if (name == "Exists") return ClusterToleration::Operator::Exists;
  return ClusterToleration::Operator::Other;
}

}  // namespace

std::string_view cluster_effect_name(ClusterTaintEffect effect) {
  switch (effect) {
    case ClusterTaintEffect::Unknown:
      return "";
    case ClusterTaintEffect::NoSelect:
      return "NoSelect";
    case ClusterTaintEffect::PreferNoSelect:
      return "PreferNoSelect";
    case ClusterTaintEffect::NoSelectIfNew:
      return "NoSelectIfNew";
  }
  return "";
}

ClusterTaintEffect cluster_effect_of_name(std::string_view name) {
  for (const auto effect : {ClusterTaintEffect::NoSelect, ClusterTaintEffect::PreferNoSelect,
                            ClusterTaintEffect::NoSelectIfNew}) {
    if (name == cluster_effect_name(effect)) return effect;
  }
  return ClusterTaintEffect::Unknown;
}

ClusterTaint read_cluster_taint(const json::Value& taint) {
  return {.key = text_field(taint, "key"),
          .value = text_field(taint, "value"),
          .effect = cluster_effect_of_name(field(taint, "effect").string_or_empty()),
          .time_added = time_field(taint, "timeAdded")};
}

ClusterToleration read_cluster_toleration(const json::Value& toleration) {
  const std::string_view effect = field(toleration, "effect").string_or_empty();
  return {.key = text_field(toleration, "key"),
          .op = operator_of_name(field(toleration, "operator").string_or_empty()),
          .value = text_field(toleration, "value"),
          .effect = effect.empty() ? std::nullopt : std::optional(cluster_effect_of_name(effect)),
          .seconds = integer_field(toleration, "tolerationSeconds")};
}

bool matches(const ClusterToleration& toleration, const ClusterTaint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  switch (toleration.op) {
    case ClusterToleration::Operator::Equal:
      return toleration.value == taint.value;
    case ClusterToleration::Operator::Exists:
      return true;
    case ClusterToleration::Operator::Other:
      return false;
  }
  return false;
}

std::optional<Time> toleration_end(const ClusterToleration& toleration, const ClusterTaint& taint) {
  if (!toleration.seconds) return std::nullopt;
  constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
  const auto wrapped = static_cast<std::int64_t>(static_cast<std::uint64_t>(*toleration.seconds) *
                                                 kNanosecondsPerSecond);
  return taint.time_added.value_or(Time::min()) + Duration(wrapped);
}

std::string to_string(const ClusterTaint& taint) {
  const std::string_view equals = taint.value.empty() ? "" : "=";
  return fmt::format("{}{}{}:{}", taint.key, equals, taint.value,
                     cluster_effect_name(taint.effect));
}

}  // namespace berth::api
