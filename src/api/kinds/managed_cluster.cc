#include "api/kinds/managed_cluster.h"

#include <map>

#include "api/quantity.h"

namespace berth::api {
namespace {

std::vector<Label> read_claims(const json::Value& status) {
  std::map<std::string, std::string> by_name;
  for (const json::Value& claim : elements_field(status, "clusterClaims")) {
    by_name.insert_or_assign(text_field(claim, "name"), text_field(claim, "value"));
  }
  std::vector<Label> claims;
  for (const auto& [name, value] : by_name) claims.push_back({.key = name, .value = value});
  return claims;
}

std::optional<double> read_allocatable(const json::Value& status, std::string_view resource) {
  const json::Value& amount = field(field(status, "allocatable"), resource);
  const json::Value& capacity = field(field(status, "capacity"), resource);
  if (amount.is_null() || capacity.is_null()) return std::nullopt;
  const auto quantity = Quantity::from_json(amount);
  if (!quantity.ok()) return std::nullopt;
  return quantity->as_approximate_double();
}

}  // namespace

ManagedCluster read_managed_cluster(const json::Value& object) {
  const json::Value& status = field(object, "status");
  ManagedCluster cluster{.facts = read_facts(object),
                         .claims = read_claims(status),
                         .allocatable_cpu = read_allocatable(status, "cpu"),
                         .allocatable_memory = read_allocatable(status, "memory")};
  for (const json::Value& taint : elements_field(field(object, "spec"), "taints")) {
    cluster.taints.push_back(Taint::from_json(taint));
  }
  return cluster;
}

}  // namespace berth::api
