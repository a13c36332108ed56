// Tokens from a file: lines of token,user,uid,"group1,group2".

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/user.h"
#include "base/result.h"

namespace berth::apiserver {

class StaticTokens {
 public:
  StaticTokens() = default;  // None.

  // Comma-separated values as in RFC 4180: fields may stand in double quotes. Lines that are empty
  // or have an empty token are skipped, as the reference does; a line with less than three fields
  // is an error that names it.
  static Result<StaticTokens> parse(std::string_view text);

  // Without system:authenticated. Takes as long whichever token it is, and as long as for none.
  std::optional<User> find(std::string_view token) const;

 private:
  struct Entry {
    std::string digest;  // So that lengths cannot be learned either.
    User user;
  };
  std::vector<Entry> entries_;
};

}  // namespace berth::apiserver
