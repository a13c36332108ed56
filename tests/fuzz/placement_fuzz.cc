// Objects of a hub as an attacker might write them: nothing they say may crash the engine, and what
// it decides must keep its promises.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "json/parse.h"
#include "json/print.h"
#include "placement/clustersets/cluster_sets.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/explaining/debug_document.h"
#include "placement/explaining/explain.h"
#include "placement/explaining/explain_text.h"
#include "placement/waking/dependencies.h"
#include "placement/writing/plan.h"

namespace berth::placement {
namespace {

using json::Value;

constexpr Time kNow = Time(std::chrono::seconds(1000));

void put(FleetView& fleet, const Value& object) {
  const std::string kind = api::text_field(object, "kind");
  if (kind == "ManagedCluster") {
    fleet.put_cluster(api::read_managed_cluster(object),
                      std::make_shared<const Value>(managed_cluster_for_expressions(object)));
    (void)admit_managed_cluster(object, &object, kNow);
  } else if (kind == "ManagedClusterSet") {
    fleet.put_set(api::read_managed_cluster_set(object));
    (void)restore_selector(object, global_cluster_set());
  } else if (kind == "ManagedClusterSetBinding") {
    fleet.put_binding(api::read_managed_cluster_set_binding(object));
  } else if (kind == "AddOnPlacementScore") {
    fleet.put_score(api::read_add_on_placement_score(object));
  } else if (kind == "PlacementDecision") {
    fleet.put_decision(api::read_placement_decision(object));
  }
}

void check(const CompiledPlacement& placement, const FleetView& fleet, const Options& options,
           const Value& object) {
  const auto planned = plan_placement(placement, fleet, kNow, options);
  if (!planned.ok()) return;
  const Explanation explanation = explain(placement, fleet, kNow, options);
  CHECK(explanation.schedule.chosen.size() <= explanation.schedule.feasible.size());
  CHECK(explanation.schedule.feasible.size() <= explanation.schedule.available.size());
  CHECK(!to_text(explanation, ExplainFormat::Wide).empty());
  (void)json::print(to_json(explanation));
  (void)debug_document(object, explanation.schedule, fleet);
}

void run(const Value& document) {
  FleetView fleet;
  for (const Value& object : api::elements_field(document, "objects")) put(fleet, object);
  const Value& object = api::field(document, "placement");
  static const CelExpressions kExpressions;
  for (const Options& options : {Options(), ocm_exact()}) {
    const CompiledPlacement placement = compile(api::read_placement(object), kExpressions, options);
    Dependencies dependencies;
    dependencies.put(placement, options);
    check(placement, fleet, options, object);
  }
}

}  // namespace
}  // namespace berth::placement

// {"placement": {...}, "objects": [{"kind": ...}, ...]}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document =
      berth::json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document.ok()) return 0;
  berth::placement::run(*document);
  return 0;
}
