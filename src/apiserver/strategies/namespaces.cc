#include "apiserver/strategies/namespaces.h"

#include <fmt/format.h>

#include "api/metadata.h"
#include "api/names.h"
#include "apiserver/validation/complaints.h"

namespace berth::apiserver {
namespace {

void name_label(json::Value& object) {
  const std::string name(api::Metadata(object).name());
  if (!name.empty()) object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name;
}

Attempt<void> on_create(json::Value& object, const Occasion&) {
  name_label(object);
  return {};
}

// The namespace's own, not that of its creator.
Attempt<void> hold(json::Value& object, const json::Value* old, const Occasion&) {
  if (old) return {};
  json::Value& finalizers = object["spec"]["finalizers"];
  bool has_ours = false;
  for (const json::Value& finalizer : finalizers.elements()) {
    has_ours = has_ours || finalizer.string_or_empty() == kNamespaceFinalizer;
  }
  if (!has_ours) finalizers.push_back(kNamespaceFinalizer);
  object["status"] = json::Value::object({{"phase", "Active"}});
  return {};
}

// spec.finalizers change through the subresource finalize, which changes nothing of the status.
Attempt<void> on_update(json::Value& object, const json::Value& old, const Occasion& occasion) {
  const std::string_view kept = occasion.subresource == "finalize" ? "status" : "spec";
  if (const json::Value* part = old.find(kept)) object[kept] = *part;
  name_label(object);
  return {};
}

std::vector<Cause> check(const json::Value& object, const json::Value* /*old*/,
                         const Occasion& /*occasion*/) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  const Place finalizers = spec["finalizers"];
  for (const json::Value& finalizer : finalizers.value().elements()) {
    const std::string_view name = finalizer.string_or_empty();
    for (const std::string& problem : api::check_qualified_name(name)) {
      complaints.invalid(finalizers, name, problem);
    }
    if (name != kNamespaceFinalizer && !name.contains('/')) {
      complaints.invalid(finalizers, name,
                         "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
  return complaints.take();
}

void on_mark(json::Value& object, Time /*now*/) { object["status"]["phase"] = "Terminating"; }

}  // namespace

Strategy namespace_strategy() {
  return {.name_rule = NameRule::Label,
          .on_create = on_create,
          .on_update = on_update,
          .check = check,
          .on_mark = on_mark,
          .admit = hold};
}

bool is_permanent_namespace(std::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

Attempt<void> check_namespace_open(const View& view, const Resource& resource, std::string_view ns,
                                   std::string_view object_name) {
  const auto found = view.find("namespaces", ns);
  if (!found) {
    return refuse({not_found("namespaces", ns), {.name = std::string(ns), .kind = "namespaces"}});
  }
  if (!api::Metadata(*found).is_being_deleted()) return {};
  Refusal refusal = forbidden(
      resource, object_name,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  ns));
  refusal.error.causes = {{.reason = "NamespaceTerminating",
                           .message = fmt::format("namespace {} is being terminated", ns),
                           .field = "metadata.namespace"}};
  return refuse(std::move(refusal));
}

}  // namespace berth::apiserver
