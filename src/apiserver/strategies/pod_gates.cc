#include "apiserver/strategies/pod_gates.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/strategies/pod_errors.h"
#include "apiserver/tables/cells.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Causes = std::vector<Cause>;

constexpr std::string_view kRequired =
    "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";

Causes check_only_fewer(const Value& before, const Value& after) {
  Causes causes;
  const auto old_gates = api::elements_field(before, "schedulingGates");
  const auto gates = api::elements_field(after, "schedulingGates");
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string name = api::text_field(gates[i], "name");
    const bool is_old = std::ranges::any_of(
        old_gates, [&](const Value& old) { return api::text_field(old, "name") == name; });
    if (is_old) continue;
    causes.push_back(forbidden_field(
        fmt::format("spec.schedulingGates[{}].name", i),
        fmt::format("only deletion is allowed, but found new scheduling gate '{}'", name)));
  }
  return causes;
}

Causes check_node_selector(const Value& before, const Value& after) {
  const Value& selector = api::field(after, "nodeSelector");
  for (const json::Member& old : api::field(before, "nodeSelector").members()) {
    const Value* now = selector.find(old.name());
    if (now && *now == old.value) continue;
    return {invalid_field(
        "spec.nodeSelector", selector,
        "only additions to spec.nodeSelector are allowed (no mutations or deletions)")};
  }
  return {};
}

bool starts_with(const Value& longer, const Value& shorter) {
  return longer.size() >= shorter.size() &&
         std::ranges::equal(shorter.elements(), longer.elements().first(shorter.size()));
}

// A term becomes narrower by requirements that are added at the end. One without any matches
// nothing, so there is nothing to narrow.
bool has_only_additions(const Value& before, const Value& after) {
  const Value& old_expressions = api::field(before, "matchExpressions");
  const Value& old_fields = api::field(before, "matchFields");
  const Value& expressions = api::field(after, "matchExpressions");
  const Value& fields = api::field(after, "matchFields");
  if (old_expressions.size() + old_fields.size() == 0) {
    return expressions.size() + fields.size() == 0;
  }
  return starts_with(expressions, old_expressions) && starts_with(fields, old_fields);
}

Causes check_affinity(const Value& before, const Value& after) {
  const auto old_terms = api::elements_field(at(before, kRequired), "nodeSelectorTerms");
  const Value& list = api::field(at(after, kRequired), "nodeSelectorTerms");
  const std::string path = fmt::format("spec.{}.nodeSelectorTerms", kRequired);
  if (old_terms.empty()) return {};
  if (old_terms.size() != list.size()) {
    return {invalid_field(
        path, list, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")};
  }
  Causes causes;
  for (std::size_t i = 0; i < old_terms.size(); ++i) {
    if (has_only_additions(old_terms[i], list.elements()[i])) continue;
    causes.push_back(invalid_field(fmt::format("{}[{}]", path, i), list.elements()[i],
                                   "only additions are allowed (no mutations or deletions)"));
  }
  return causes;
}

bool is_gated(const Value& spec) { return !api::elements_field(spec, "schedulingGates").empty(); }

}  // namespace

Causes check_gates(const Value& before, const Value& after) {
  Causes causes = check_only_fewer(before, after);
  if (!is_gated(before)) return causes;
  for (Causes& more :
       std::vector{check_node_selector(before, after), check_affinity(before, after)}) {
    for (Cause& cause : more) causes.push_back(std::move(cause));
  }
  return causes;
}

Value with_old_placement(Value after, const Value& before) {
  if (!is_gated(before)) return after;
  after["nodeSelector"] = api::field(before, "nodeSelector");
  Value affinity = api::field(after, "affinity");
  if (affinity.is_object()) affinity.erase("nodeAffinity");
  if (const Value* old = api::field(before, "affinity").find("nodeAffinity")) {
    if (affinity.is_null() || affinity.is_object()) affinity["nodeAffinity"] = *old;
  }
  after["affinity"] = std::move(affinity);
  return after;
}

}  // namespace berth::apiserver
