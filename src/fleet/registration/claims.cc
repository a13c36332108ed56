#include "fleet/registration/claims.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kClusterOnly = "open-cluster-management.io/spoke-only";
constexpr std::string_view kReserved[] = {"id.k8s.io", "kubeversion.open-cluster-management.io",
                                          "platform.open-cluster-management.io",
                                          "product.open-cluster-management.io"};

bool is_reserved(std::string_view name, const ClaimOptions& options) {
  if (std::ranges::find(kReserved, name) != std::end(kReserved)) return true;
  return std::ranges::any_of(options.reserved_suffixes, [name](const std::string& suffix) {
    return !suffix.empty() && name.ends_with(suffix);
  });
}

}  // namespace

Value exposed_claims(std::span<const Value* const> claims, const ClaimOptions& options) {
  std::map<std::string, std::string> reserved;
  std::map<std::string, std::string> custom;
  for (const Value* claim : claims) {
    const api::Metadata metadata(*claim);
    if (metadata.labels().has(kClusterOnly)) continue;
    const std::string name(metadata.name());
    (is_reserved(name, options) ? reserved : custom)[name] =
        api::text_field(api::field(*claim, "spec"), "value");
  }
  Value list = Value::array();
  const auto tell = [&list](const auto& entry) {
    list.push_back(Value::object({{"name", entry.first}, {"value", entry.second}}));
  };
  std::ranges::for_each(reserved, tell);
  std::size_t told = 0;
  for (const auto& entry : custom) {
    if (told++ == options.custom_max) break;
    tell(entry);
  }
  return list;
}

}  // namespace berth::fleet
