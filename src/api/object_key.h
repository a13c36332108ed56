// ObjectKey: which object of a kind, by namespace and name.

#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::api {

struct ObjectKey {
  std::string ns = {};  // Empty: cluster-scoped.
  std::string name = {};

  // "namespace/name" or "name", the form of work queue keys and log lines.
  static Result<ObjectKey> parse(std::string_view text);
  std::string text() const;

  auto operator<=>(const ObjectKey&) const = default;
};

}  // namespace berth::api
