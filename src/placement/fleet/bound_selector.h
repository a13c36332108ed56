// BoundSelector: a label selector whose strings are a fleet's symbols. Binding costs one look-up
// for each string; after that a cluster is matched by comparing integers.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "api/label_selector.h"
#include "placement/fleet/symbols.h"

namespace berth::placement {

// Labels or claims of one cluster: key symbol in the upper half, value symbol in the lower, sorted.
class LabelIds {
 public:
  // Acquires the symbols; give them back with release().
  static LabelIds acquire(std::span<const api::Label> labels, Symbols& symbols);
  void release(Symbols& symbols);

  // The value, or kNoSymbol.
  Symbol find(Symbol key) const;

  // As text again, in no particular order.
  std::vector<api::Label> texts(const Symbols& symbols) const;

 private:
  std::vector<std::uint64_t> pairs_;
};

class BoundSelector {
 public:
  // From an object's selector, which knows no comparisons. Valid as long as the symbols stay.
  BoundSelector(const api::LabelSelector& selector, const Symbols& symbols);

  bool matches(const LabelIds& labels) const;

  // Matches every cluster of this fleet or none, whatever its labels.
  std::optional<bool> constant() const;

 private:
  enum class Test : std::uint8_t { OneOf, NoneOf };

  // The value (kNoSymbol: absent) must, or must not, be among the values.
  struct Requirement {
    Symbol key = kNoSymbol;
    Test test = Test::OneOf;
    bool any_value = false;  // Stands for all values but absence.
    std::vector<Symbol> values = {};
  };

  static bool holds(const Requirement& requirement, Symbol value);

  std::vector<Requirement> requirements_;
  bool never_ = false;
};

}  // namespace berth::placement
