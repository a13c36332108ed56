#include "api/resource_version.h"

#include <algorithm>

#include <fmt/format.h>

namespace berth::api {
namespace {

Status check(std::string_view version) {
  const bool digits = std::ranges::all_of(version, [](char c) { return c >= '0' && c <= '9'; });
  if (!version.empty() && digits && version.front() != '0') return {};
  return failure(Code::Invalid, fmt::format("resource version is not well formed: {}", version));
}

}  // namespace

Result<std::strong_ordering> compare_resource_versions(std::string_view a, std::string_view b) {
  RETURN_IF_ERROR(check(a));
  RETURN_IF_ERROR(check(b));
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

}  // namespace berth::api
