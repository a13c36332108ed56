// What service account tokens are about: the look at objects that issuing and checking them needs.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

enum class TokenObject : std::uint8_t { ServiceAccount, Pod, Secret, Node };

class TokenObjects {
 public:
  virtual ~TokenObjects() = default;

  // The object as it is now; nullopt if there is none. Nodes have no namespace.
  virtual std::optional<json::Value> find(TokenObject kind, std::string_view ns,
                                          std::string_view name) const = 0;
};

}  // namespace berth::apiserver
