#include "http/message.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace berth::http {
namespace {

constexpr std::array<std::string_view, 8> kMethods = {"GET",   "HEAD",   "POST",    "PUT",
                                                      "PATCH", "DELETE", "OPTIONS", "OTHER"};

struct StatusName {
  int status;
  std::string_view text;
};

// The ones that Kubernetes and this folder send, in order.
constexpr std::array kStatusNames = {
    StatusName{100, "Continue"},
    StatusName{101, "Switching Protocols"},
    StatusName{200, "OK"},
    StatusName{201, "Created"},
    StatusName{202, "Accepted"},
    StatusName{204, "No Content"},
    StatusName{301, "Moved Permanently"},
    StatusName{302, "Found"},
    StatusName{304, "Not Modified"},
    StatusName{307, "Temporary Redirect"},
    StatusName{400, "Bad Request"},
    StatusName{401, "Unauthorized"},
    StatusName{403, "Forbidden"},
    StatusName{404, "Not Found"},
    StatusName{405, "Method Not Allowed"},
    StatusName{406, "Not Acceptable"},
    StatusName{407, "Proxy Authentication Required"},
    StatusName{408, "Request Timeout"},
    StatusName{409, "Conflict"},
    StatusName{410, "Gone"},
    StatusName{411, "Length Required"},
    StatusName{413, "Content Too Large"},
    StatusName{414, "URI Too Long"},
    StatusName{415, "Unsupported Media Type"},
    StatusName{422, "Unprocessable Content"},
    StatusName{429, "Too Many Requests"},
    StatusName{431, "Request Header Fields Too Large"},
    StatusName{500, "Internal Server Error"},
    StatusName{501, "Not Implemented"},
    StatusName{502, "Bad Gateway"},
    StatusName{503, "Service Unavailable"},
    StatusName{504, "Gateway Timeout"},
    StatusName{505, "HTTP Version Not Supported"},
};

constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

constexpr bool is_token_char(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

constexpr auto kTokenChars = [] {
  std::array<bool, 256> table = {};
  for (int c = 0; c < 256; ++c) {
    table[static_cast<std::size_t>(c)] = is_token_char(static_cast<char>(c));
  }
  return table;
}();

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

}  // namespace

std::string_view method_name(Method method) { return kMethods[std::to_underlying(method)]; }

Method method_of_name(std::string_view name) {
  for (std::size_t i = 0; i < std::to_underlying(Method::Other); ++i) {
    if (kMethods[i] == name) return static_cast<Method>(i);
  }
  return Method::Other;
}

std::string_view status_text(int status) {
  const auto* found = std::ranges::lower_bound(kStatusNames, status, {}, &StatusName::status);
  return found != kStatusNames.end() && found->status == status ? found->text : "Status";
}

void Headers::add(std::string_view name, std::string_view value) {
  const std::size_t begin = text_.size();
  CHECK(begin + name.size() + value.size() < UINT32_MAX);  // Limits are far below.
  text_.append(name).append(value);
  const std::span<char> text = std::span(text_).subspan(begin);
  for (char& c : text.first(name.size())) c = to_lower(c);
  if (!is_field_value(value)) {
    for (char& c : text.subspan(name.size())) c = is_control(c) ? ' ' : c;
  }
  entries_.push_back({.begin = static_cast<std::uint32_t>(begin),
                      .name_size = static_cast<std::uint32_t>(name.size()),
                      .value_size = static_cast<std::uint32_t>(value.size())});
}

void Headers::clear() {
  text_.clear();
  entries_.clear();
}

Headers::Field Headers::operator[](std::size_t index) const {
  const Entry& entry = entries_[index];
  const std::string_view text = text_;
  return {.name = text.substr(entry.begin, entry.name_size),
          .value = text.substr(entry.begin + entry.name_size, entry.value_size)};
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].name_size != name.size()) continue;
    if (const Field field = (*this)[i]; field.name == name) return field.value;
  }
  return std::nullopt;
}

std::size_t Headers::count(std::string_view name) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) count += (*this)[i].name == name ? 1 : 0;
  return count;
}

bool Headers::operator==(const Headers& other) const {
  if (size() != other.size()) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    if ((*this)[i] != other[i]) return false;
  }
  return true;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return kTokenChars[static_cast<unsigned char>(c)];
  });
}

bool is_field_value(std::string_view text) {
  bool control = false;  // No early end: the loop then runs on whole vectors.
  for (const char c : text) control |= is_control(c);
  return !control;
}

bool list_contains(std::string_view list, std::string_view element) {
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (equal_ignoring_case(trim(list.substr(begin, end - begin)), element)) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace berth::http
