#include "apiserver/objects/selectable_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/objects/dotted_path.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

struct Offer {
  std::string_view table;
  std::vector<std::string_view> fields;
};

const std::vector<Offer>& offers() {
  static const std::vector<Offer> kOffers = {
      {"pods",
       {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
        "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"}},
      {"events",
       {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
        "involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
        "involvedObject.fieldPath", "regarding.kind", "regarding.namespace", "regarding.name",
        "regarding.uid", "regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath",
        "reason", "reportingComponent", "reportingController", "source", "type"}},
      {"secrets", {"type"}},
      {"namespaces", {"status.phase"}},
      {"nodes", {"spec.unschedulable"}},
      {"certificatesigningrequests.certificates.k8s.io", {"spec.signerName"}},
      {"replicasets.apps", {"status.replicas"}},
      {"jobs.batch", {"status.successful"}},
  };
  return kOffers;
}

bool offers_field(const Resource& resource, std::string_view field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return resource.scope == Scope::Namespaced;
  if (resource.custom) {
    return std::ranges::find(resource.custom->selectable, "." + std::string(field)) !=
           resource.custom->selectable.end();
  }
  const auto offer = std::ranges::find(offers(), resource.table, &Offer::table);
  return offer != offers().end() && std::ranges::find(offer->fields, field) != offer->fields.end();
}

// Kinds with fields of their own have other words for it than those without.
std::string unknown_field(const Resource& resource, std::string_view field) {
  const bool has_own = resource.custom ||
                       std::ranges::find(offers(), resource.table, &Offer::table) != offers().end();
  if (has_own) return fmt::format("field label not supported: {}", field);
  return fmt::format(
      "\"{}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
      field);
}

std::string text_of(const json::Value* value) {
  if (!value || value->is_null()) return {};
  return value->is_string() ? std::string(value->string_or_empty()) : json::print(*value);
}

// Events in the store are of the core group; the names of the other group mean the same fields.
std::string_view stored_name(std::string_view field) {
  if (field == "source") return "source.component";
  if (field == "reportingController") return "reportingComponent";
  return field;
}

}  // namespace

Attempt<void> check_selectable(const Resource& resource, const api::FieldSelector& selector) {
  for (const api::FieldRequirement& requirement : selector.requirements()) {
    if (offers_field(resource, requirement.field)) continue;
    return refuse(Code::BadRequest, unknown_field(resource, requirement.field));
  }
  return {};
}

std::string selectable_value(const json::Value& object, std::string_view field) {
  if (field.starts_with("regarding.")) {
    return selectable_value(object, fmt::format("involvedObject{}", field.substr(9)));
  }
  std::string text = text_of(find_dotted(object, stored_name(field)));
  // Booleans that are absent are false.
  const bool is_flag = field == "spec.unschedulable" || field == "spec.hostNetwork";
  if (text.empty() && is_flag) return "false";
  if (text.empty() && field == "source") return text_of(object.find("reportingComponent"));
  return text;
}

}  // namespace berth::apiserver
