#include "apiserver/validation/resources.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/names.h"
#include "api/quantity.h"

namespace berth::apiserver {
namespace {

constexpr std::array<std::string_view, 3> kOfContainers = {"cpu", "memory", "ephemeral-storage"};

// Those that quotas count; a container cannot ask for them, but they are known.
constexpr std::array<std::string_view, 17> kOfQuotas = {"requests.cpu",
                                                        "requests.memory",
                                                        "requests.ephemeral-storage",
                                                        "limits.cpu",
                                                        "limits.memory",
                                                        "limits.ephemeral-storage",
                                                        "pods",
                                                        "resourcequotas",
                                                        "services",
                                                        "replicationcontrollers",
                                                        "secrets",
                                                        "configmaps",
                                                        "persistentvolumeclaims",
                                                        "storage",
                                                        "requests.storage",
                                                        "services.nodeports",
                                                        "services.loadbalancers"};
// Things of which there is no half.
constexpr std::array<std::string_view, 9> kWhole = {"pods",
                                                    "resourcequotas",
                                                    "services",
                                                    "replicationcontrollers",
                                                    "secrets",
                                                    "configmaps",
                                                    "persistentvolumeclaims",
                                                    "services.nodeports",
                                                    "services.loadbalancers"};

bool is_in(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

bool is_huge_pages(std::string_view name) { return name.starts_with("hugepages-"); }

// Names without a prefix are Kubernetes' own.
bool is_native(std::string_view name) {
  return !name.contains('/') || name.contains("kubernetes.io/");
}

bool is_extended(std::string_view name) {
  if (is_native(name) || name.starts_with("requests.")) return false;
  return api::check_qualified_name(fmt::format("requests.{}", name)).empty();
}

bool may_be_overcommitted(std::string_view name) { return is_native(name) && !is_huge_pages(name); }

void check_name(const Place& amount, std::string_view name, Complaints& complaints) {
  const api::Problems problems = api::check_qualified_name(name);
  for (const std::string& problem : problems) complaints.invalid(amount, name, problem);
  const bool is_of_containers = is_in(kOfContainers, name) || is_huge_pages(name);
  if (!name.contains('/')) {
    if (problems.empty() && !is_of_containers && !is_in(kOfQuotas, name)) {
      complaints.invalid(amount, name, "must be a standard resource type or fully qualified");
    }
    if (!is_of_containers) {
      complaints.invalid(amount, name, "must be a standard resource for containers");
    }
  } else if (!is_native(name) && !is_extended(name)) {
    complaints.invalid(amount, name, "doesn't follow extended resource name standard");
  }
}

api::Quantity quantity_of(const json::Value& value) {
  return api::Quantity::from_json(value).value_or(api::Quantity());
}

void check_request(const Place& requests, const Place& limits, const json::Member& request,
                   Complaints& complaints) {
  const std::string_view name = request.name();
  const Place limit = limits.key(name);
  if (!limit.is_set()) {
    if (!may_be_overcommitted(name)) {
      complaints.required(limits, "Limit must be set for non overcommitable resources");
    }
    return;
  }
  const api::Quantity asked = quantity_of(request.value);
  const api::Quantity most = quantity_of(limit.value());
  const bool must_equal = !may_be_overcommitted(name);
  if (must_equal ? asked == most : asked <= most) return;
  complaints.invalid(
      requests, asked.to_string(),
      fmt::format("must be {} {} limit of {}", must_equal ? "equal to" : "less than or equal to",
                  name, most.to_string()));
}

}  // namespace

void check_amount(const Place& amount, std::string_view resource, Complaints& complaints) {
  const api::Quantity quantity = quantity_of(amount.value());
  if (quantity.sign() < 0) complaints.invalid(amount, quantity.to_string(), kNotNegative);
  const bool is_whole = is_in(kWhole, resource) || is_extended(resource);
  if (is_whole && quantity.milli_value() % 1000 != 0) {
    complaints.invalid(amount, quantity.to_string(), "must be an integer");
  }
}

void check_resources(const Place& resources, Complaints& complaints) {
  const Place limits = resources["limits"];
  const Place requests = resources["requests"];
  for (const Place* part : {&limits, &requests}) {
    for (const json::Member& entry : part->value().members()) {
      const Place amount = part->key(entry.name());
      check_name(amount, entry.name(), complaints);
      check_amount(amount, entry.name(), complaints);
      if (part == &requests) check_request(requests, limits, entry, complaints);
    }
  }
}

}  // namespace berth::apiserver
