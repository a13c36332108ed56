#include "apiserver/auth/static_tokens.h"

#include <cstddef>

#include <fmt/format.h>

#include "base/strings.h"
#include "pki/digest.h"

namespace berth::apiserver {
namespace {

// One record from the start of `rest`, which moves behind it.
Result<std::vector<std::string>> next_record(std::string_view& rest) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  while (!rest.empty()) {
    const char letter = rest.front();
    rest.remove_prefix(1);
    if (quoted) {
      if (letter != '"') {
        fields.back().push_back(letter);
      } else if (rest.starts_with('"')) {
        fields.back().push_back('"');
        rest.remove_prefix(1);
      } else {
        quoted = false;
      }
    } else if (letter == '"' && fields.back().empty()) {
      quoted = true;
    } else if (letter == ',') {
      fields.emplace_back();
    } else if (letter == '\n') {
      return fields;
    } else if (letter != '\r') {
      fields.back().push_back(letter);
    }
  }
  if (quoted) return failure(Code::BadRequest, "a quote is not closed");
  return fields;
}

}  // namespace

Result<StaticTokens> StaticTokens::parse(std::string_view text) {
  StaticTokens tokens;
  for (std::size_t record = 1; !text.empty(); ++record) {
    auto read = next_record(text);
    if (!read.ok()) {
      return failure(
          std::move(read).error().in_context(fmt::format("token file, record {}", record)));
    }
    std::vector<std::string>& fields = *read;
    if (fields.size() == 1 && trim(fields[0]).empty()) continue;
    if (fields.size() < 3) {
      return failure(Code::BadRequest,
                     fmt::format("token file, record {}: must have at least 3 columns (token, user "
                                 "name, user uid), found {}",
                                 record, fields.size()));
    }
    if (fields[0].empty()) continue;
    User user{.name = fields[1], .uid = fields[2]};
    if (fields.size() > 3) {
      for (const std::string_view group : split(fields[3], ',')) {
        if (!trim(group).empty()) user.groups.emplace_back(trim(group));
      }
    }
    tokens.entries_.push_back({.digest = pki::sha256(fields[0]), .user = std::move(user)});
  }
  return tokens;
}

std::optional<User> StaticTokens::find(std::string_view token) const {
  const std::string digest = pki::sha256(token);
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    // Each is looked at, and the later of two equal ones wins, as in the reference's map.
    if (pki::equal_in_constant_time(entry.digest, digest)) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  return found->user;
}

}  // namespace berth::apiserver
