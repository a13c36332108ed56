#include "apiserver/validation/labels.h"

#include "api/names.h"

namespace berth::apiserver {
namespace {

void check_requirement(const Place& requirement, Complaints& complaints) {
  if (!check_set_operator(requirement, complaints)) {
    const Place how = requirement["operator"];
    complaints.invalid(how, how.text(), "not a valid selector operator");
  }
  complaints.check_names(requirement["key"], api::check_qualified_name(requirement["key"].text()));
  const Place values = requirement["values"];
  for (std::size_t i = 0; i < values.size(); ++i) {
    complaints.check_names(values.at(i), api::check_label_value(values.at(i).text()));
  }
}

}  // namespace

bool check_set_operator(const Place& requirement, Complaints& complaints) {
  const std::string_view how = requirement["operator"].text();
  const Place values = requirement["values"];
  if (how == "In" || how == "NotIn") {
    if (values.size() == 0) {
      complaints.required(values, "must be specified when `operator` is 'In' or 'NotIn'");
    }
    return true;
  }
  if (how != "Exists" && how != "DoesNotExist") return false;
  if (values.size() > 0) {
    complaints.forbidden(values,
                         "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
  return true;
}

void check_labels(const Place& labels, Complaints& complaints) {
  for (const json::Member& label : labels.value().members()) {
    for (const std::string& problem : api::check_qualified_name(label.name())) {
      complaints.invalid(labels, label.name(), problem);
    }
    for (const std::string& problem : api::check_label_value(label.value.string_or_empty())) {
      complaints.invalid(labels, label.value, problem);
    }
  }
}

void check_annotations(const Place& annotations, Complaints& complaints) {
  for (const json::Member& annotation : annotations.value().members()) {
    for (const std::string& problem : api::check_qualified_name(annotation.name())) {
      complaints.invalid(annotations, annotation.name(), problem);
    }
  }
}

void check_selector(const Place& selector, Complaints& complaints) {
  check_labels(selector["matchLabels"], complaints);
  const Place expressions = selector["matchExpressions"];
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    check_requirement(expressions.at(i), complaints);
  }
}

bool is_empty_selector(const Place& selector) {
  return selector["matchLabels"].size() == 0 && selector["matchExpressions"].size() == 0;
}

}  // namespace berth::apiserver
