#include "placement/writing/write_order.h"

#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace berth::placement {
namespace {

using Edges = std::set<std::pair<std::size_t, std::size_t>>;  // (gets a cluster, loses it)

Edges moves(const std::vector<Rewrite>& rewrites) {
  std::map<std::string_view, std::size_t> gets;
  for (std::size_t i = 0; i < rewrites.size(); ++i) {
    for (const std::string& cluster : rewrites[i].after) gets.emplace(cluster, i);
  }
  Edges edges;
  for (std::size_t i = 0; i < rewrites.size(); ++i) {
    for (const std::string& cluster : rewrites[i].before) {
      const auto target = gets.find(cluster);
      if (target != gets.end() && target->second != i) edges.emplace(target->second, i);
    }
  }
  return edges;
}

}  // namespace

std::vector<std::size_t> growing_first(const std::vector<Rewrite>& rewrites) {
  const Edges edges = moves(rewrites);
  std::vector<std::size_t> waits_for(rewrites.size());
  for (const auto& [getter, loser] : edges) ++waits_for[loser];
  std::set<std::size_t> waiting;
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < rewrites.size(); ++i) {
    (waits_for[i] == 0 ? ready : waiting).insert(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty() || !waiting.empty()) {
    auto& source = ready.empty() ? waiting : ready;
    const std::size_t next = *source.begin();
    source.erase(source.begin());
    order.push_back(next);
    for (auto edge = edges.lower_bound({next, 0}); edge != edges.end() && edge->first == next;
         ++edge) {
      if (--waits_for[edge->second] == 0 && waiting.erase(edge->second) > 0) {
        ready.insert(edge->second);
      }
    }
  }
  return order;
}

}  // namespace berth::placement
