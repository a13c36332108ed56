#include "placement/fleet/bound_selector.h"

#include <algorithm>

namespace berth::placement {
namespace {

using Operator = api::LabelRequirement::Operator;

constexpr int kHalf = 32;

bool is_negative(Operator op) {
  return op == Operator::NotIn || op == Operator::NotEquals || op == Operator::DoesNotExist;
}

}  // namespace

LabelIds LabelIds::acquire(std::span<const api::Label> labels, Symbols& symbols) {
  LabelIds ids;
  ids.pairs_.reserve(labels.size());
  for (const api::Label& label : labels) {
    const std::uint64_t key = symbols.acquire(label.key);
    ids.pairs_.push_back(key << kHalf | symbols.acquire(label.value));
  }
  std::ranges::sort(ids.pairs_);
  return ids;
}

void LabelIds::release(Symbols& symbols) {
  for (const std::uint64_t pair : pairs_) {
    symbols.release(static_cast<Symbol>(pair >> kHalf));
    symbols.release(static_cast<Symbol>(pair));
  }
  pairs_.clear();
}

Symbol LabelIds::find(Symbol key) const {
  const auto found = std::ranges::lower_bound(pairs_, std::uint64_t{key} << kHalf);
  if (found == pairs_.end() || *found >> kHalf != key) return kNoSymbol;
  return static_cast<Symbol>(*found);
}

std::vector<api::Label> LabelIds::texts(const Symbols& symbols) const {
  std::vector<api::Label> labels;
  labels.reserve(pairs_.size());
  for (const std::uint64_t pair : pairs_) {
    labels.push_back({.key = symbols.text(static_cast<Symbol>(pair >> kHalf)),
                      .value = symbols.text(static_cast<Symbol>(pair))});
  }
  return labels;
}

BoundSelector::BoundSelector(const api::LabelSelector& selector, const Symbols& symbols)
    : never_(selector.requirements().empty() && !selector.is_everything()) {
  for (const api::LabelRequirement& requirement : selector.requirements()) {
    Requirement bound{.key = symbols.find(requirement.key()),
                      .test = is_negative(requirement.op()) ? Test::NoneOf : Test::OneOf,
                      .any_value = requirement.op() == Operator::Exists ||
                                   requirement.op() == Operator::DoesNotExist};
    if (bound.key != kNoSymbol) {
      for (const std::string& value : requirement.values()) {
        if (const Symbol symbol = symbols.find(value); symbol != kNoSymbol) {
          bound.values.push_back(symbol);
        }
      }
    }
    // No cluster has the key, or any of the values: the answer is known without looking.
    const bool nobody = bound.key == kNoSymbol || (bound.values.empty() && !bound.any_value);
    if (!nobody) {
      requirements_.push_back(std::move(bound));
    } else if (bound.test == Test::OneOf) {
      never_ = true;
    }
  }
}

bool BoundSelector::holds(const Requirement& requirement, Symbol value) {
  const bool among = value != kNoSymbol &&
                     (requirement.any_value ||
                      std::ranges::find(requirement.values, value) != requirement.values.end());
  return among == (requirement.test == Test::OneOf);
}

bool BoundSelector::matches(const LabelIds& labels) const {
  if (never_) return false;
  return std::ranges::all_of(requirements_, [&labels](const Requirement& requirement) {
    return holds(requirement, labels.find(requirement.key));
  });
}

std::optional<bool> BoundSelector::constant() const {
  if (never_) return false;
  return requirements_.empty() ? std::optional(true) : std::nullopt;
}

}  // namespace berth::placement
