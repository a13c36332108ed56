#include "client/headers.h"

#include <optional>

#include <fmt/format.h>

#include "base/strings.h"
#include "http/percent.h"

namespace berth::client {
namespace {

// The quoted string at the front of `text`, without its quotes; nullopt when there is none.
std::optional<std::string> unquoted(std::string_view text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string result;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '"') return result;
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    result += text[at];
  }
  return std::nullopt;
}

}  // namespace

void add_impersonation(http::Headers& headers, const Impersonation& who) {
  if (who.user.empty()) return;
  headers.add("impersonate-user", who.user);
  if (!who.uid.empty()) headers.add("impersonate-uid", who.uid);
  for (const std::string& group : who.groups) headers.add("impersonate-group", group);
  for (const auto& [key, values] : who.extra) {
    const std::string name = "impersonate-extra-" + lower_ascii(http::percent_encode(key));
    for (const std::string& value : values) headers.add(name, value);
  }
}

std::vector<std::string> warnings_in(const http::Headers& headers) {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const http::Headers::Field field = headers[i];
    if (field.name != "warning" || !field.value.starts_with("299 ")) continue;
    const std::string_view rest = field.value.substr(4);  // AGENT "TEXT"
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos) continue;
    if (auto text = unquoted(rest.substr(space + 1))) warnings.push_back(*std::move(text));
  }
  return warnings;
}

std::string user_agent(const Program& program) {
  const std::string base =
      fmt::format("{}/{} ({})", program.name, program.version, program.platform);
  return program.commit.empty() ? base : fmt::format("{} berth/{}", base, program.commit);
}

}  // namespace berth::client
