// Random roles, bindings and questions about them, from few words so that they meet often.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/auth/attributes.h"
#include "apiserver/user.h"
#include "base/random.h"
#include "json/value.h"

namespace berth::apiserver::testing {

class RandomRbac {
 public:
  explicit RandomRbac(std::uint64_t seed) : random_(seed) {}

  // Valid on a real API server; names begin with "t-", namespaces are ns-0 to ns-2.
  std::vector<json::Value> objects();
  std::pair<User, Attributes> question();

 private:
  using Words = std::vector<std::string_view>;

  std::string_view one_of(const Words& words) { return words[random_.below(words.size())]; }
  json::Value some_of(const Words& words, std::size_t at_least);
  json::Value rule(std::string_view role_kind);
  json::Value role(std::string_view kind, std::uint64_t number, std::string ns);
  json::Value binding(std::string_view kind, std::uint64_t number, std::string ns);
  std::string some_namespace() { return "ns-" + std::to_string(random_.below(3)); }

  Random random_;
};

}  // namespace berth::apiserver::testing
