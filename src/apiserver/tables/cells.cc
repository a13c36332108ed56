#include "apiserver/tables/cells.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/label_selector.h"
#include "api/quantity.h"
#include "apiserver/tables/human_age.h"
#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

std::string container_field(const json::Value& pod_spec, std::string_view name) {
  std::vector<std::string> texts;
  for (const json::Value& container : api::elements_field(pod_spec, "containers")) {
    texts.push_back(api::text_field(container, name));
  }
  return join(texts, ",");
}

}  // namespace

const json::Value& at(const json::Value& object, std::string_view path) {
  const json::Value* place = &object;
  while (true) {
    const std::size_t dot = path.find('.');
    place = &api::field(*place, path.substr(0, dot));
    if (dot == std::string_view::npos) return *place;
    path.remove_prefix(dot + 1);
  }
}

std::string text_at(const json::Value& object, std::string_view path) {
  return std::string(at(object, path).string_or_empty());
}

std::int64_t integer_at(const json::Value& object, std::string_view path) {
  return at(object, path).as_int().value_or(0);
}

std::optional<Time> time_at(const json::Value& object, std::string_view path) {
  const auto text = at(object, path).as_string();
  if (!text) return std::nullopt;
  const auto time = parse_rfc3339(*text);
  return time.ok() ? std::optional(*time) : std::nullopt;
}

std::string age_at(const json::Value& object, std::string_view path, Time now) {
  return human_age(time_at(object, path), now);
}

std::string joined_at(const json::Value& object, std::string_view path,
                      std::string_view separator) {
  std::vector<std::string> texts;
  for (const json::Value& element : at(object, path).elements()) {
    texts.emplace_back(element.string_or_empty());
  }
  return join(texts, separator);
}

std::optional<std::string_view> annotation(const json::Value& object, std::string_view key) {
  return api::Labels(at(object, "metadata.annotations")).find(key);
}

std::string labels_text(const json::Value& labels) {
  std::vector<std::string> pairs;
  for (const json::Member& member : labels.members()) {
    pairs.push_back(fmt::format("{}={}", member.name(), member.value.string_or_empty()));
  }
  if (pairs.empty()) return "<none>";
  std::ranges::sort(pairs);
  return join(pairs, ",");
}

std::string selector_text(const json::Value& selector) {
  const auto read = api::LabelSelector::from_json(selector);
  if (!read.ok()) return "<error>";
  const std::string text = read->to_string();
  return text.empty() ? "<none>" : text;
}

std::string container_names(const json::Value& pod_spec) {
  return container_field(pod_spec, "name");
}

std::string container_images(const json::Value& pod_spec) {
  return container_field(pod_spec, "image");
}

std::string int_or_string_text(const json::Value& value) {
  return value.is_number() ? value.number_text() : std::string(value.string_or_empty());
}

std::string quantity_text(const json::Value& value) {
  const std::string text = int_or_string_text(value);
  if (text.empty()) return "0";
  return api::Quantity::rewrite(text).value_or(text);
}

std::string with_more(const std::vector<std::string>& all) {
  if (all.size() <= kShownMax) return join(all, ",");
  return fmt::format("{} + {} more...", join({all.begin(), all.begin() + kShownMax}, ","),
                     all.size() - kShownMax);
}

}  // namespace berth::apiserver
