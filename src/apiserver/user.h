// User: who makes a request, as authentication found out.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver {

inline constexpr std::string_view kAnonymous = "system:anonymous";
inline constexpr std::string_view kAuthenticated = "system:authenticated";
inline constexpr std::string_view kUnauthenticated = "system:unauthenticated";
inline constexpr std::string_view kMasters = "system:masters";

struct User {
  std::string name;
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};

  bool is_in(std::string_view group) const;
  bool operator==(const User&) const = default;
};

}  // namespace berth::apiserver
