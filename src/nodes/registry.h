// The list of filters and scorers: a new one is one line in the source of this.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "nodes/filter.h"
#include "nodes/scorer.h"
#include "nodes/scorers/allocation.h"

namespace berth::nodes {

// What pluginConfig can say.
struct PluginOptions {
  AllocationOptions allocation = {};

  bool operator==(const PluginOptions&) const = default;
};

struct FilterEntry {
  std::string_view name;
  std::shared_ptr<const Filter> (*make)();
};

struct ScorerEntry {
  std::string_view name;
  std::int64_t weight;  // Unless somebody says otherwise.
  std::shared_ptr<const Scorer> (*make)(const PluginOptions&);
};

// In the order in which they run: what is cheap to ask and refuses many comes first.
std::span<const FilterEntry> filter_registry();
std::span<const ScorerEntry> scorer_registry();

// Plugins of kube-scheduler that Berth does not have: they may be disabled, not enabled.
bool is_foreign_plugin(std::string_view name);

}  // namespace berth::nodes
