#include "fleet/addons/template_text.h"

#include <utility>
#include <vector>

#include "json/parse.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

json::Value substitute_strings(const json::Value& value, const TemplateValues& values) {
  if (const auto text = value.as_string()) return substitute_text(*text, values);
  if (value.is_array()) {
    json::Value result = json::Value::array();
    for (const json::Value& element : value.elements()) {
      result.push_back(substitute_strings(element, values));
    }
    return result;
  }
  if (!value.is_object()) return value;
  json::Value result = json::Value::object();
  for (const json::Member& member : value.members()) {
    result[substitute_text(member.name(), values)] = substitute_strings(member.value, values);
  }
  return result;
}

}  // namespace

std::string substitute_text(std::string_view text, const TemplateValues& values) {
  std::string result;
  while (true) {
    const std::size_t open = text.find(kOpen);
    const std::size_t close =
        open == std::string_view::npos ? open : text.find(kClose, open + kOpen.size());
    if (close == std::string_view::npos) return result.append(text);
    result.append(text.substr(0, open));
    const auto value = values.find(text.substr(open + kOpen.size(), close - open - kOpen.size()));
    if (value != values.end()) result.append(value->second);
    text.remove_prefix(close + kClose.size());
  }
}

Result<json::Value> substitute(const json::Value& manifest, const TemplateValues& values) {
  const std::string text = json::print(manifest);
  if (text.find(kOpen) == std::string::npos) return manifest;
  auto parsed = json::parse(substitute_text(text, values));
  if (parsed.ok()) return parsed;
  return substitute_strings(manifest, values);
}

}  // namespace berth::fleet
