#include "apiserver/validation/claims.h"

#include <algorithm>

#include "api/names.h"
#include "api/quantity.h"
#include "apiserver/validation/labels.h"

namespace berth::apiserver {
namespace {

constexpr std::initializer_list<std::string_view> kModes = {"ReadOnlyMany", "ReadWriteMany",
                                                            "ReadWriteOnce", "ReadWriteOncePod"};

void check_modes(const Place& modes, Complaints& complaints) {
  bool has_pod_only = false;
  bool has_other = false;
  for (const json::Value& mode : modes.value().elements()) {
    const std::string_view name = mode.string_or_empty();
    if (std::ranges::find(kModes, name) == kModes.end()) {
      complaints.not_supported(modes, mode, kModes);
      continue;
    }
    (name == "ReadWriteOncePod" ? has_pod_only : has_other) = true;
  }
  if (has_pod_only && has_other) {
    complaints.forbidden(modes, "may not use ReadWriteOncePod with other access modes");
  }
}

void check_storage(const Place& resources, Complaints& complaints) {
  const Place requests = resources["requests"];
  // The reference leaves the requests out of the path.
  const Place where = resources.key("storage");
  const Place storage = requests["storage"];
  if (!storage.is_set()) return complaints.required(where);
  const auto amount = api::Quantity::from_json(storage.value());
  if (amount.ok() && amount->sign() <= 0) {
    complaints.invalid(where, amount->to_string(), "must be greater than zero");
  }
}

// What a claim asks for may grow once it has a volume; which class it is of may be said late.
bool is_same_claim(json::Value now, json::Value then, bool is_bound) {
  for (json::Value* spec : {&now, &then}) {
    spec->erase("volumeAttributesClassName");
    spec->erase("volumeName");  // The binder's.
    json::Value* resources = spec->find("resources");
    if (is_bound && resources && resources->is_object()) resources->erase("requests");
  }
  const json::Value* class_before = then.find("storageClassName");
  if (!class_before || class_before->is_null()) {
    now.erase("storageClassName");
    then.erase("storageClassName");
  }
  return now == then;
}

}  // namespace

void check_claim(const Place& spec, Complaints& complaints) {
  const Place modes = spec["accessModes"];
  if (modes.size() == 0) complaints.required(modes, "at least 1 access mode is required");
  check_selector(spec["selector"], complaints);
  check_modes(modes, complaints);
  check_storage(spec["resources"], complaints);
  if (const Place name = spec["storageClassName"]; !name.text().empty()) {
    complaints.check_names(name, api::check_dns1123_subdomain(name.text()));
  }
  complaints.check_optional_one_of(spec["volumeMode"], {"Block", "Filesystem"});
}

std::vector<Cause> validate_claim(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  check_claim(spec, complaints);
  if (!old) return complaints.take();
  const Place before(*old);
  const Place status = before["status"];
  if (!is_same_claim(spec.value(), before["spec"].value(), status["phase"].text() == "Bound")) {
    complaints.forbidden(spec,
                         "spec is immutable after creation except resources.requests and "
                         "volumeAttributesClassName for bound claims");
  }
  return complaints.take();
}

}  // namespace berth::apiserver
