#include "scores/usage/usage_options.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/names.h"
#include "base/strings.h"

namespace berth::scores {
namespace {

constexpr std::size_t kTextMax = 4096;  // Of one resource, shape or taint.

struct Pair {
  std::string_view name;
  std::optional<std::string_view> value = std::nullopt;
};

Pair cut_at(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {trim(text)};
  return {trim(text.substr(0, at)), trim(text.substr(at + 1))};
}

std::unexpected<Error> complaint(std::string_view what, std::string_view text,
                                 std::string_view problem) {
  return failure(Code::Invalid, fmt::format("{} {}: {}", what, quote(text), problem));
}

Result<api::Quantity> parse_amount(std::string_view what, std::string_view text, const Pair& pair) {
  const auto amount = api::Quantity::parse(pair.value.value_or(""));
  if (amount.ok() && amount->sign() >= 0) return *amount;
  return complaint(what, text,
                   fmt::format("{} has to be an amount such as 500m, 2 or 1Gi", pair.name));
}

bool is_resource_name(std::string_view name) { return api::check_qualified_name(name).empty(); }

TrackedResource resource_named(std::string_view name) {
  for (TrackedResource& known : default_resources()) {
    if (known.name != name) continue;
    known.in_seed_set = true;  // Asked for.
    return std::move(known);
  }
  return {.name = std::string(name), .prefix = std::string(name), .max = api::Quantity(0)};
}

Status apply_setting(TrackedResource& resource, const Pair& setting, std::string_view text) {
  if (setting.name == "min" || setting.name == "max") {
    ASSIGN_OR_RETURN(auto amount, parse_amount("resource", text, setting));
    (setting.name == "min" ? resource.min : resource.max) = std::move(amount);
    return {};
  }
  if (setting.name == "curve" && (setting.value == "linear" || setting.value == "log")) {
    resource.curve = setting.value == "log" ? Curve::Log : Curve::Linear;
    return {};
  }
  return complaint("resource", text,
                   "after the name only min=QUANTITY, max=QUANTITY, curve=linear and curve=log are "
                   "known");
}

Status check_resource(const TrackedResource& resource) {
  if (!is_resource_name(resource.name)) {
    return complaint("resource", resource.name, "is no name of a resource");
  }
  if (resource.prefix.empty()) {
    return complaint("resource", resource.name, "the name of its scores is empty");
  }
  if (resource.max <= resource.min) {
    return complaint("resource", resource.name,
                     "max has to be above min: say how much is plenty with max=QUANTITY");
  }
  return {};
}

Status check_shape(const Shape& shape) {
  if (!is_resource_name(shape.name)) {
    return complaint("shape", shape.name, "its name may have letters, digits, '-', '_' and '.'");
  }
  const bool asks = std::ranges::any_of(shape.requests.entries(),
                                        [](const auto& entry) { return entry.amount.sign() > 0; });
  if (!asks) return complaint("shape", shape.name, "has to ask for something, as in cpu=500m");
  if (shape.max <= 0) return complaint("shape", shape.name, "max has to be above 0");
  return {};
}

}  // namespace

Result<ScoreSet> parse_score_set(std::string_view name) {
  if (name == "seed") return ScoreSet::Seed;
  if (name == "cluster") return ScoreSet::Cluster;
  if (name == "node") return ScoreSet::Node;
  if (name == "ratio") return ScoreSet::Ratio;
  return complaint("score set", name, "there are seed, cluster, node and ratio");
}

std::vector<TrackedResource> default_resources() {
  const auto binary = api::Quantity::Format::BinarySI;
  return {
      {.name = "cpu", .prefix = "cpu", .max = api::Quantity(100)},
      {.name = "memory", .prefix = "mem", .max = api::Quantity(std::int64_t{1} << 40, binary)},
      {.name = "nvidia.com/gpu", .prefix = "gpu", .max = api::Quantity(20), .in_seed_set = false},
      {.name = "google.com/tpu", .prefix = "tpu", .max = api::Quantity(20), .in_seed_set = false},
  };
}

Status check_usage_options(const UsageOptions& options) {
  std::set<std::string_view> names;
  std::set<std::string_view> prefixes;
  for (const TrackedResource& resource : options.resources) {
    RETURN_IF_ERROR(check_resource(resource));
    if (!names.insert(resource.name).second) {
      return complaint("resource", resource.name, "is named twice");
    }
    if (!prefixes.insert(resource.prefix).second) {
      return complaint("resource", resource.name,
                       fmt::format("another one's scores begin with {}, too; choose a name with "
                                   "RESOURCE=NAME",
                                   resource.prefix));
    }
  }
  std::set<std::string_view> shapes;
  for (const Shape& shape : options.shapes) {
    RETURN_IF_ERROR(check_shape(shape));
    if (!shapes.insert(shape.name).second) return complaint("shape", shape.name, "is named twice");
  }
  if (options.sets.empty() && options.shapes.empty()) {
    return failure(Code::Invalid, "there is nothing to publish: name a score set or a shape");
  }
  return {};
}

Result<TrackedResource> parse_resource(std::string_view text) {
  if (text.size() > kTextMax) return complaint("resource", text.substr(0, 40), "is too long");
  const auto parts = split(text, ',');
  const Pair head = cut_at(parts[0], '=');
  TrackedResource resource = resource_named(head.name);
  if (head.value) resource.prefix = *head.value;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    RETURN_IF_ERROR(apply_setting(resource, cut_at(parts[i], '='), text));
  }
  RETURN_IF_ERROR(check_resource(resource));
  return resource;
}

Result<Shape> parse_shape(std::string_view text) {
  if (text.size() > kTextMax) return complaint("shape", text.substr(0, 40), "is too long");
  const Pair head = cut_at(text, '=');
  Shape shape{.name = std::string(head.name), .requests = {}};
  for (const std::string_view part : split(head.value.value_or(""), ',')) {
    const Pair request = cut_at(part, '=');
    if (request.name == "max") {
      shape.max = parse_int64(request.value.value_or("")).value_or(0);
      continue;
    }
    if (!request.value || !is_resource_name(request.name) || shape.requests.find(request.name)) {
      return complaint("shape", text,
                       "write NAME=RESOURCE=QUANTITY,RESOURCE=QUANTITY, each resource once");
    }
    ASSIGN_OR_RETURN(auto amount, parse_amount("shape", text, request));
    shape.requests.set(request.name, std::move(amount));
  }
  RETURN_IF_ERROR(check_shape(shape));
  return shape;
}

Result<api::Toleration> parse_allowed_taint(std::string_view text) {
  if (text.size() > kTextMax) return complaint("taint", text.substr(0, 40), "is too long");
  const Pair whole = cut_at(text, ':');
  const Pair label = cut_at(whole.name, '=');
  if (!is_resource_name(label.name)) {
    return complaint("taint", text, "write KEY, KEY=VALUE or KEY=VALUE:EFFECT");
  }
  api::Toleration toleration{.key = std::string(label.name),
                             .op = api::Toleration::Operator::Exists};
  if (label.value) {
    toleration.op = api::Toleration::Operator::Equal;
    toleration.value = *label.value;
  }
  if (!whole.value) return toleration;
  for (const api::TaintEffect effect : api::kRepellingNodeEffects) {
    if (api::effect_name(effect) != *whole.value) continue;
    toleration.effect = effect;
    return toleration;
  }
  return complaint("taint", text, "the effect has to be NoSchedule or NoExecute");
}

}  // namespace berth::scores
