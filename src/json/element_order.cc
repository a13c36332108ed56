#include "json/element_order.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "json/print.h"

namespace berth::json {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// The place of each element in a list.
class Ranks {
 public:
  Ranks(std::span<const Value> list, std::string_view merge_key) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      places_.try_emplace(element_identity(list[i], merge_key), i);
    }
  }

  std::size_t of(const std::string& identity) const {
    const auto found = places_.find(identity);
    return found == places_.end() ? kNowhere : found->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

struct Ranked {
  Value value;
  std::size_t wanted;
  std::size_t before;
  std::size_t arrival;  // Keeps sorting stable.
};

// Puts the others in front of the first wanted element that stood behind them.
std::vector<Value> interleave(std::vector<Ranked> others, std::vector<Ranked> wanted) {
  std::vector<Value> all;
  all.reserve(others.size() + wanted.size());
  auto other = others.begin();
  for (Ranked& element : wanted) {
    while (other != others.end() && element.before != kNowhere && other->before < element.before) {
      all.push_back(std::move((other++)->value));
    }
    all.push_back(std::move(element.value));
  }
  for (; other != others.end(); ++other) all.push_back(std::move(other->value));
  return all;
}

}  // namespace

std::string element_identity(const Value& element, std::string_view merge_key) {
  if (merge_key.empty()) return print(element);
  const Value* key = element.find(merge_key);
  return key ? print(*key) : std::string();
}

std::vector<Value> order_elements(std::vector<Value> merged, const ElementOrder& order) {
  const Ranks wanted_ranks(order.wanted, order.merge_key);
  const Ranks before_ranks(order.before, order.merge_key);
  std::vector<Ranked> wanted;
  std::vector<Ranked> others;
  for (Value& value : merged) {
    const std::string identity = element_identity(value, order.merge_key);
    Ranked ranked{.value = std::move(value),
                  .wanted = wanted_ranks.of(identity),
                  .before = before_ranks.of(identity),
                  .arrival = wanted.size() + others.size()};
    (ranked.wanted == kNowhere ? others : wanted).push_back(std::move(ranked));
  }
  std::ranges::sort(wanted, {}, [](const Ranked& r) { return std::pair(r.wanted, r.arrival); });
  std::ranges::sort(others, {}, [](const Ranked& r) { return std::pair(r.before, r.arrival); });
  return interleave(std::move(others), std::move(wanted));
}

}  // namespace berth::json
