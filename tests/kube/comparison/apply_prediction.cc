#include "kube/comparison/apply_prediction.h"

#include <utility>

#include "apiserver/apply/field_manager.h"
#include "apiserver/apply/managed_fields.h"
#include "json/merge_patch.h"
#include "kube/comparison/apply_crd.h"

namespace berth::kube {
namespace {

using json::Value;

// The server reads metadata of custom resources into a struct that does not keep empty lists and
// maps.
void drop_empty(Value* object) {
  Value* metadata = object ? object->find("metadata") : nullptr;
  if (!metadata) return;
  for (const std::string_view name : {"annotations", "finalizers", "labels", "ownerReferences"}) {
    const Value* value = metadata->find(name);
    if (value && value->size() == 0) metadata->erase(name);
  }
}

// As the server reads it: with the one default of the schema.
Value as_read(Value object) {
  drop_empty(&object);
  Value* spec = object.find("spec");
  drop_empty(spec ? spec->find("pod") : nullptr);
  Value* ports = spec ? spec->find("ports") : nullptr;
  if (!ports) return object;
  for (Value& port : ports->elements()) {
    if (!port.find("protocol")) port["protocol"] = "TCP";
  }
  return object;
}

void keep(Value& object, const Value* live, std::string_view name) {
  const Value* before = live ? live->find(name) : nullptr;
  if (before) {
    object[name] = *before;
  } else {
    object.erase(name);
  }
}

// What a write to the object or to its status may not change stays.
Value within_subresource(Value object, const Value* live, const ApplyStep& step) {
  if (step.subresource.empty()) {
    keep(object, live, "status");
    return object;
  }
  Value result = live ? *live : Value::object();
  result["metadata"].erase("managedFields");
  if (const Value* fields = object.find_path({"metadata", "managedFields"})) {
    result["metadata"]["managedFields"] = *fields;
  }
  keep(result, &object, "status");
  return result;
}

}  // namespace

ApplyPrediction::ApplyPrediction() : schema_(apiserver::testing::read_schema(thing_schema())) {}

Result<Value> ApplyPrediction::after(const Value* live, const ApplyStep& step, Time now) const {
  const bool is_status = !step.subresource.empty();
  const apiserver::FieldSet reset =
      apiserver::field_set({apiserver::path_of({is_status ? "spec" : "status"})});
  const std::string api_version = "compare.berth.dev/" + step.version;
  Value current = live ? *live : Value();
  if (live) current["apiVersion"] = api_version;

  Value object;
  if (step.verb == ThingVerb::Apply) {
    ASSIGN_OR_RETURN(object, apiserver::apply(live ? &current : nullptr, step.body, *schema_.root,
                                              {.manager = step.manager,
                                               .api_version = api_version,
                                               .kind = "Thing",
                                               .subresource = step.subresource,
                                               .force = step.force,
                                               .now = now,
                                               .reset_fields = &reset}));
    object = as_read(std::move(object));
  } else {
    Value wanted = step.body;
    if (step.verb == ThingVerb::MergePatch) wanted = json::apply_merge_patch(current, step.body);
    object = apiserver::update(live ? &current : nullptr, as_read(std::move(wanted)), *schema_.root,
                               {.manager = step.manager,
                                .api_version = api_version,
                                .subresource = step.subresource,
                                .now = now,
                                .reset_fields = &reset});
  }
  object = within_subresource(std::move(object), live ? &current : nullptr, step);
  if (live) object = apiserver::without_new_times(current, std::move(object));
  return comparable(std::move(object));
}

Value comparable(Value object) {
  for (const std::string_view name :
       {"uid", "resourceVersion", "generation", "creationTimestamp", "namespace"}) {
    object["metadata"].erase(name);
  }
  return object;
}

}  // namespace berth::kube
