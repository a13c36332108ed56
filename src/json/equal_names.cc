#include "json/equal_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth::json {

MergedNames merge_equal_names(std::span<Member> members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto name = [&](std::size_t index) { return members[index].name(); };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(name(a), a) < std::pair(name(b), b);
  });

  MergedNames merged;
  std::vector<bool> dropped(members.size());
  for (auto run = order.begin(); run != order.end();) {
    const auto end = std::find_if(run + 1, order.end(),
                                  [&](std::size_t index) { return name(index) != name(*run); });
    if (end - run > 1) {
      merged.repeated.push_back({.name = std::string(name(*run)), .second = run[1]});
      members[*run].value = std::move(members[end[-1]].value);
      for (auto repetition = run + 1; repetition != end; ++repetition) dropped[*repetition] = true;
    }
    run = end;
  }
  std::ranges::sort(merged.repeated, {}, &RepeatedName::second);

  for (std::size_t i = 0; i < members.size(); ++i) {
    if (dropped[i]) continue;
    if (merged.count != i) members[merged.count] = std::move(members[i]);
    ++merged.count;
  }
  return merged;
}

}  // namespace berth::json
