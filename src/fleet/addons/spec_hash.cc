#include "fleet/addons/spec_hash.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "json/number.h"
#include "json/print.h"
#include "pki/digest.h"

namespace berth::fleet {
namespace {

constexpr std::array<std::string_view, 4> kNotConfiguration = {"apiVersion", "kind", "metadata",
                                                               "status"};

std::string canonical_number(const json::Value& number) {
  const std::string text = number.number_text();
  // What Kubernetes reads as an integer stays one; all else has passed through a double.
  if (json::exact_int64(text)) return text;
  return json::print_double(json::to_double(text));
}

void append_sorted(std::string& text, const json::Value& value);

void append_object(std::string& text, const json::Value& object) {
  std::vector<const json::Member*> members;
  members.reserve(object.size());
  for (const json::Member& member : object.members()) members.push_back(&member);
  std::ranges::sort(members, {}, [](const json::Member* member) { return member->name(); });
  text += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0) text += ',';
    json::append_quoted(text, members[i]->name(), json::HtmlEscape::Yes);
    text += ':';
    append_sorted(text, members[i]->value);
  }
  text += '}';
}

void append_sorted(std::string& text, const json::Value& value) {
  if (value.is_object()) return append_object(text, value);
  if (value.is_number()) {
    text += canonical_number(value);
    return;
  }
  if (!value.is_array()) {
    return json::append(text, value, {.html = json::HtmlEscape::Yes});
  }
  text += '[';
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i > 0) text += ',';
    append_sorted(text, value.elements()[i]);
  }
  text += ']';
}

}  // namespace

std::string spec_hash(const json::Value& object) {
  json::Value configuration = object.is_object() ? object : json::Value::object();
  for (const std::string_view name : kNotConfiguration) configuration.erase(name);
  std::string text;
  append_sorted(text, configuration);
  std::string hash;
  for (const char byte : pki::sha256(text)) {
    fmt::format_to(std::back_inserter(hash), "{:02x}", static_cast<unsigned char>(byte));
  }
  return hash;
}

}  // namespace berth::fleet
