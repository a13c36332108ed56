#include "kube/comparison/debug_answer.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/comparison/prediction.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/deciding/schedule.h"
#include "placement/explaining/debug_document.h"
#include "placement/options.h"

namespace berth::kube {
namespace {

using json::Value;

Value sorted(const Value& list) {
  std::vector<Value> elements(list.elements().begin(), list.elements().end());
  std::ranges::sort(elements, {}, [](const Value& element) { return json::print(element); });
  return Value::take_array(elements);
}

// A set of all clusters that every placement asks for, and none of them being deleted.
void open_to_all(Objects& objects) {
  const ObjectName everything{.name = "everything"};
  Value set = new_object(ObjectKind::Set, everything);
  set["spec"] = json::parse(R"({"clusterSelector":{"selectorType":"LabelSelector",
                                "labelSelector":{}}})")
                    .value();
  objects.put(ObjectKind::Set, std::move(set));
  const Objects::Table placements = objects.all(ObjectKind::Placement);
  for (const auto& [name, placement] : placements) {
    objects.put(ObjectKind::Binding,
                new_object(ObjectKind::Binding, {.ns = name.ns, .name = everything.name}));
    Value opened = placement;
    opened["spec"]["clusterSets"] = Value::array({everything.name});
    objects.put(ObjectKind::Placement, std::move(opened));
  }
  const Objects::Table clusters = objects.all(ObjectKind::Cluster);
  for (const auto& [name, cluster] : clusters) {
    Value kept = cluster;
    kept["metadata"].erase("deletionTimestamp");
    objects.put(ObjectKind::Cluster, std::move(kept));
  }
}

}  // namespace

std::map<ObjectName, Value> predicted_answers(Objects objects, Time now) {
  open_to_all(objects);
  const placement::Options options = placement::ocm_exact();
  const placement::FleetView fleet = view_of(objects);
  std::map<ObjectName, Value> answers;
  for (const auto& [name, object] : objects.all(ObjectKind::Placement)) {
    const auto compiled =
        placement::compile(api::read_placement(object), placement::CelExpressions(), options);
    const auto scheduled = placement::schedule(compiled, fleet, now, options);
    answers[name] = normalised_answer(placement::debug_document(object, scheduled, fleet));
  }
  return answers;
}

Value normalised_answer(const Value& answer) {
  Value normal = Value::object();
  const Value* scores = answer.find("prioritizeResults");
  for (const char* key : {"filteredPipelineResults", "filteredPiplieResults"}) {
    for (const Value& filter : api::elements_field(answer, key)) {
      const Value& clusters = api::field(filter, "filteredClusters");
      const std::string name = api::text_field(filter, "name");
      // The last list is in the order of the total scores, if there are any.
      const bool is_ranked = scores && name == "Predicate,TaintToleration";
      normal["filters"][name] = is_ranked && clusters.size() > 0 ? clusters : sorted(clusters);
    }
  }
  Value results = Value::array();
  for (Value result : api::elements_field(answer, "prioritizeResults")) {
    if (api::field(result, "scores").is_null()) result["scores"] = Value::object();
    // Members in one order, so that printing can be compared.
    std::vector<std::pair<std::string, Value>> members;
    for (const auto& member : result["scores"].members()) {
      members.emplace_back(member.name(), member.value);
    }
    std::ranges::sort(members, {}, &std::pair<std::string, Value>::first);
    Value ordered = Value::object();
    for (auto& [cluster, points] : members) ordered[cluster] = std::move(points);
    results.push_back(Value::object({{"name", api::field(result, "name")},
                                     {"weight", api::field(result, "weight")},
                                     {"scores", std::move(ordered)}}));
  }
  normal["prioritizers"] = sorted(results);
  return normal;
}

}  // namespace berth::kube
