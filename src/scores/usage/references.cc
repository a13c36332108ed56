#include "scores/usage/references.h"

#include <algorithm>
#include <string>

#include "api/kinds/placement.h"

namespace berth::scores {
namespace {

// managedCluster.scores("NAME"): whoever quotes the name means it.
bool names(const std::string& expression, std::string_view score_object) {
  for (const char quote : {'"', '\''}) {
    const std::string quoted = quote + std::string(score_object) + quote;
    if (expression.contains(quoted)) return true;
  }
  return false;
}

}  // namespace

bool refers_to_scores(const json::Value& object, std::string_view score_object) {
  const api::Placement placement = api::read_placement(object);
  const bool prioritizes = std::ranges::any_of(placement.configurations, [&](const auto& one) {
    return one.type == "AddOn" && one.add_on && one.add_on->resource == score_object;
  });
  return prioritizes || std::ranges::any_of(placement.predicates, [&](const auto& predicate) {
           return std::ranges::any_of(predicate.expressions, [&](const std::string& expression) {
             return names(expression, score_object);
           });
         });
}

}  // namespace berth::scores
