// Amounts of resources as numbers in columns: what nodes have and pods need, without names.
//
// Millicores of cpu, whole units of everything else, rounded up as kube-scheduler does. Only nodes
// make columns: whoever may create pods could otherwise fill the memory with resources that exist
// nowhere.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/resource_list.h"
#include "base/strings.h"

namespace berth::nodes {

using Column = std::uint32_t;

// Known from the start.
inline constexpr Column kCpu = 0;
inline constexpr Column kMemory = 1;
inline constexpr Column kEphemeralStorage = 2;
inline constexpr Column kPods = 3;

struct Need {
  Column column;
  std::int64_t amount;  // Above 0: whoever needs nothing of a resource fits everywhere.

  bool operator==(const Need&) const = default;
};

// Sorted by column, each at most once.
using Needs = std::vector<Need>;

std::int64_t amount_in(const Needs& needs, Column column);  // 0 when absent.

// What is left of `needs` after `taken` has been taken out of it.
Needs minus(const Needs& needs, const Needs& taken);

// Whether every amount is at most that of `room`.
bool covers(const Needs& room, const Needs& needs);

class ResourceColumns {
 public:
  ResourceColumns();

  Column make(std::string_view resource);
  std::optional<Column> find(std::string_view resource) const;
  const std::string& name(Column column) const { return names_[column]; }
  std::size_t size() const { return names_.size(); }

  std::int64_t amount_of(Column column, const api::Quantity& quantity) const;

  struct Resolved {
    Needs needs = {};
    std::vector<api::ResourceAmount> unknown = {};  // Resources that no node has.
  };
  Resolved resolve(const api::ResourceList& list) const;

  // The amount as users write it: "250m", "128Mi".
  std::string text(Column column, std::int64_t amount) const;

 private:
  std::vector<std::string> names_;
  boost::unordered_flat_map<std::string, Column, StringHash, std::equal_to<>> columns_;
};

}  // namespace berth::nodes
