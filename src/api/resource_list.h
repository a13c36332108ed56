// ResourceList: amounts by resource name, as in requests, limits, capacity and allocatable.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/quantity.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::api {

struct ResourceAmount {
  std::string name;
  Quantity amount;

  bool operator==(const ResourceAmount&) const = default;
};

// A handful of entries, sorted by name. A resource with amount 0 differs from one that is absent.
class ResourceList {
 public:
  ResourceList() = default;
  explicit ResourceList(std::vector<ResourceAmount> amounts);

  // A JSON object of quantities; null and a missing value are the empty list. Errors name the
  // resource.
  static Result<ResourceList> from_json(const json::Value* object);

  std::span<const ResourceAmount> entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

  const Quantity* find(std::string_view name) const;
  Quantity amount(std::string_view name) const;  // 0 when absent.

  void set(std::string_view name, Quantity amount);
  void add(const ResourceList& other);
  void raise_to(const ResourceList& other);         // To the larger of both, resource by resource.
  void fill_missing(const ResourceList& defaults);  // Only where nothing is said.

  bool operator==(const ResourceList&) const = default;

 private:
  std::vector<ResourceAmount>::iterator place_of(std::string_view name);

  std::vector<ResourceAmount> entries_;
};

}  // namespace berth::api
