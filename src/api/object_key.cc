#include "api/object_key.h"

#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {

Result<ObjectKey> ObjectKey::parse(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '/');
  if (parts.size() == 1) return ObjectKey{.ns = "", .name = std::string(parts[0])};
  if (parts.size() == 2) {
    return ObjectKey{.ns = std::string(parts[0]), .name = std::string(parts[1])};
  }
  return failure(Code::BadRequest, fmt::format("unexpected key format: {}", quote(text)));
}

std::string ObjectKey::text() const { return ns.empty() ? name : ns + "/" + name; }

}  // namespace berth::api
