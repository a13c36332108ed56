#include "api/taint.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/text_of.h"

namespace berth::api {
namespace {

using Operator = Toleration::Operator;

constexpr std::array<std::pair<std::string_view, TaintEffect>, 6> kEffects = {{
    {"NoSchedule", TaintEffect::NoSchedule},
    {"PreferNoSchedule", TaintEffect::PreferNoSchedule},
    {"NoExecute", TaintEffect::NoExecute},
    {"NoSelect", TaintEffect::NoSelect},
    {"PreferNoSelect", TaintEffect::PreferNoSelect},
    {"NoSelectIfNew", TaintEffect::NoSelectIfNew},
}};

TaintEffect read_effect(std::string_view name) {
  for (const auto& [known, effect] : kEffects) {
    if (name == known) return effect;
  }
  return TaintEffect::Unknown;
}

Operator read_operator(std::string_view name) {
  if (name.empty() || name == "Equal") return Operator::Equal;
  if (name == "Exists") return Operator::Exists;
  if (name == "Lt") return Operator::Lt;
  if (name == "Gt") return Operator::Gt;
  return Operator::Unknown;
}

// Canonical decimals only: "007", "+7" and "-0" do not count.
std::optional<std::int64_t> canonical_number(std::string_view text) {
  const auto number = parse_int64(text);
  return number && std::to_string(*number) == text ? number : std::nullopt;
}

bool compare_numbers(const Toleration& toleration, const Taint& taint) {
  const auto limit = canonical_number(toleration.value);
  const auto number = canonical_number(taint.value);
  if (!limit || !number) return false;
  return toleration.op == Operator::Lt ? *number < *limit : *number > *limit;
}

}  // namespace

std::string_view effect_name(TaintEffect effect) {
  const auto* found =
      std::ranges::find(kEffects, effect, &std::pair<std::string_view, TaintEffect>::second);
  return found == kEffects.end() ? std::string_view() : found->first;
}

Taint Taint::from_json(const json::Value& taint) {
  const auto added = parse_rfc3339(text_of(taint, "timeAdded"));
  return {.key = std::string(text_of(taint, "key")),
          .value = std::string(text_of(taint, "value")),
          .effect = read_effect(text_of(taint, "effect")),
          .time_added = added.ok() ? std::optional(*added) : std::nullopt};
}

Toleration Toleration::from_json(const json::Value& toleration) {
  const std::string_view effect = text_of(toleration, "effect");
  const json::Value* seconds = toleration.find("tolerationSeconds");
  return {.key = std::string(text_of(toleration, "key")),
          .op = read_operator(text_of(toleration, "operator")),
          .value = std::string(text_of(toleration, "value")),
          .effect = effect.empty() ? TaintEffect::Any : read_effect(effect),
          .seconds = seconds ? seconds->as_int() : std::nullopt};
}

std::vector<Taint> read_taints(const json::Value* list) {
  std::vector<Taint> taints;
  if (!list) return taints;
  for (const json::Value& taint : list->elements()) taints.push_back(Taint::from_json(taint));
  return taints;
}

std::vector<Toleration> read_tolerations(const json::Value* list) {
  std::vector<Toleration> tolerations;
  if (!list) return tolerations;
  for (const json::Value& toleration : list->elements()) {
    tolerations.push_back(Toleration::from_json(toleration));
  }
  return tolerations;
}

bool tolerates(const Toleration& toleration, const Taint& taint, NumericOperators numeric) {
  const bool effect_fits =
      toleration.effect == TaintEffect::Any ||
      (toleration.effect == taint.effect && taint.effect != TaintEffect::Unknown);
  if (!effect_fits) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  switch (toleration.op) {
    case Operator::Equal:
      return toleration.value == taint.value;
    case Operator::Exists:
      return true;
    case Operator::Lt:
    case Operator::Gt:
      return numeric == NumericOperators::On && compare_numbers(toleration, taint);
    case Operator::Unknown:
      return false;
  }
  return false;
}

std::optional<Time> toleration_end(const Toleration& toleration, const Taint& taint) {
  if (!toleration.seconds) return std::nullopt;
  constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
  const auto wrapped = static_cast<std::int64_t>(static_cast<std::uint64_t>(*toleration.seconds) *
                                                 kNanosecondsPerSecond);
  return taint.time_added.value_or(Time::min()) + Duration(wrapped);
}

std::string to_string(const Taint& taint) {
  const std::string_view equals = taint.value.empty() ? "" : "=";
  return fmt::format("{}{}{}:{}", taint.key, equals, taint.value, effect_name(taint.effect));
}

const Taint* find_untolerated(std::span<const Taint> taints,
                              std::span<const Toleration> tolerations,
                              std::span<const TaintEffect> effects, NumericOperators numeric) {
  for (const Taint& taint : taints) {
    if (std::ranges::find(effects, taint.effect) == effects.end()) continue;
    const bool tolerated = std::ranges::any_of(tolerations, [&](const Toleration& toleration) {
      return tolerates(toleration, taint, numeric);
    });
    if (!tolerated) return &taint;
  }
  return nullptr;
}

}  // namespace berth::api
