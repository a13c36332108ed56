#include "placement/fleet/symbols.h"

#include "base/check.h"

namespace berth::placement {

Symbol Symbols::acquire(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) {
    ++entries_[found->second].uses;
    return found->second;
  }
  Symbol symbol = 0;
  if (free_.empty()) {
    symbol = static_cast<Symbol>(entries_.size());
    entries_.emplace_back();
  } else {
    symbol = free_.back();
    free_.pop_back();
  }
  entries_[symbol] = {.text = std::string(text), .uses = 1};
  numbers_.emplace(text, symbol);
  return symbol;
}

void Symbols::release(Symbol symbol) {
  Entry& entry = entries_[symbol];
  CHECK(entry.uses > 0);
  if (--entry.uses > 0) return;
  numbers_.erase(entry.text);
  entry.text.clear();
  entry.text.shrink_to_fit();
  free_.push_back(symbol);
}

Symbol Symbols::find(std::string_view text) const {
  const auto found = numbers_.find(text);
  return found == numbers_.end() ? kNoSymbol : found->second;
}

}  // namespace berth::placement
