// Symbols: the strings of labels, claims and scores as small numbers, so that matching a thousand
// clusters compares integers. A symbol lives as long as somebody uses it; numbers are reused.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/strings.h"

namespace berth::placement {

using Symbol = std::uint32_t;
inline constexpr Symbol kNoSymbol = std::numeric_limits<Symbol>::max();

class Symbols {
 public:
  // Every acquire() needs its release().
  Symbol acquire(std::string_view text);
  void release(Symbol symbol);

  // kNoSymbol when nobody uses the text.
  Symbol find(std::string_view text) const;
  const std::string& text(Symbol symbol) const { return entries_[symbol].text; }
  std::size_t size() const { return numbers_.size(); }

 private:
  struct Entry {
    std::string text;
    std::uint32_t uses = 0;
  };

  boost::unordered_flat_map<std::string, Symbol, StringHash, std::equal_to<>> numbers_;
  std::vector<Entry> entries_;
  std::vector<Symbol> free_;
};

}  // namespace berth::placement
