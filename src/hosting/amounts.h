// Amounts of cpu, memory and pods: what a hosted control plane needs and what a host has.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/resource_list.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::hosting {

enum class Resource : std::uint8_t { Cpu, Memory, Pods };  // In milli, bytes and pieces.

inline constexpr std::array kResources = {Resource::Cpu, Resource::Memory, Resource::Pods};

std::string_view resource_name(Resource resource);  // "cpu" and so on.

// What is read is cut at this, so that no sum of a fleet overflows.
inline constexpr std::int64_t kAmountMax = 1'000'000'000'000'000;

class Amounts {
 public:
  constexpr Amounts() = default;
  constexpr Amounts(std::int64_t cpu_milli, std::int64_t memory, std::int64_t pods)
      : of_{cpu_milli, memory, pods} {}

  constexpr std::int64_t& operator[](Resource resource) {
    return of_[static_cast<std::size_t>(resource)];
  }
  constexpr std::int64_t operator[](Resource resource) const {
    return of_[static_cast<std::size_t>(resource)];
  }

  Amounts& operator+=(const Amounts& other);
  Amounts& operator-=(const Amounts& other);
  friend Amounts operator*(const Amounts& amounts, std::int64_t factor);
  bool operator==(const Amounts&) const = default;

 private:
  std::array<std::int64_t, kResources.size()> of_ = {};
};

// Amounts of which some are not known.
class KnownAmounts {
 public:
  std::optional<std::int64_t>& operator[](Resource resource) {
    return of_[static_cast<std::size_t>(resource)];
  }
  std::optional<std::int64_t> operator[](Resource resource) const {
    return of_[static_cast<std::size_t>(resource)];
  }

  bool operator==(const KnownAmounts&) const = default;

 private:
  std::array<std::optional<std::int64_t>, kResources.size()> of_ = {};
};

// What a highly available control plane requests: 5 cpus, 18 GB, 75 pods. Hosted clusters of which
// nothing else is known count for so much.
inline constexpr Amounts kBaseline = Amounts(5'000, 18'000'000'000, 75);

// Sizes by the names that requests use.
using SizeClasses = std::map<std::string, Amounts, std::less<>>;

// small, medium and large: the baseline, or what HyperShift measured under 50, 1000 and 2000
// requests a second (2.9 cpus and 9.0 for each 1000) if that is more.
const SizeClasses& default_size_classes();

// {cpu, memory, pods} as quantities; what is missing is not known, and so is what is no quantity.
KnownAmounts read_known_amounts(const json::Value& object);
Amounts amounts_of(const api::ResourceList& list);  // 0 for what is not in it.
json::Value to_json(const Amounts& amounts);
json::Value to_json(const KnownAmounts& amounts);  // Without what is not known.

// {class} or any of {cpu, memory, pods}, the baseline for the rest. Fails on what cannot be, and
// says what can.
Result<Amounts> read_size(const json::Value& size, const SizeClasses& classes);

std::string amount_text(Resource resource, std::int64_t amount);  // "5", "18G", "75".
std::string to_string(const Amounts& amounts);                    // "cpu 5, memory 18G, pods 75"

}  // namespace berth::hosting
