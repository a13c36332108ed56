#include "apiserver/validation/complaints.h"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/schema/field_errors.h"
#include "apiserver/validation/port_names.h"

namespace berth::apiserver {

void Complaints::required(const Place& place, std::string_view detail) {
  add(apiserver::required(place.path(), detail));
}

void Complaints::forbidden(const Place& place, std::string_view detail) {
  add(apiserver::forbidden(place.path(), detail));
}

void Complaints::invalid(const Place& place, std::string_view detail) {
  add(apiserver::invalid(place.path(), place.value(), detail));
}

void Complaints::invalid(const Place& place, const json::Value& shown, std::string_view detail) {
  add(apiserver::invalid(place.path(), shown, detail));
}

void Complaints::not_supported(const Place& place, Words supported) {
  // What is absent in the object is the empty text for the reference.
  not_supported(place, place.is_set() ? place.value() : json::Value(""), supported);
}

void Complaints::not_supported(const Place& place, const json::Value& shown, Words supported) {
  const std::vector<std::string> words(supported.begin(), supported.end());
  add(apiserver::not_supported(place.path(), shown, words));
}

void Complaints::duplicate(const Place& place) { duplicate(place, place.value()); }

void Complaints::duplicate(const Place& place, const json::Value& shown) {
  add(apiserver::duplicate(place.path(), shown));
}

void Complaints::not_found(const Place& place) {
  add({.reason = "FieldValueNotFound",
       .message = fmt::format("Not found: {}", shown(json::Value(place.text()))),
       .field = place.path()});
}

void Complaints::check_names(const Place& place, const api::Problems& problems) {
  for (const std::string& problem : problems) {
    invalid(place, json::Value(place.text()), problem);
  }
}

void Complaints::check_not_negative(const Place& place) {
  if (place.number().value_or(0) < 0) invalid(place, kNotNegative);
}

void Complaints::check_positive(const Place& place) {
  const std::int64_t number = place.number().value_or(0);
  if (number <= 0) invalid(place, number, "must be greater than zero");
}

void Complaints::check_port(const Place& place) {
  if (place.value().is_string()) return check_names(place, port_name_problems(place.text()));
  const std::int64_t number = place.number().value_or(0);
  if (is_port(number)) return;
  invalid(place, number, kPortRange);
}

void Complaints::check_one_of(const Place& place, Words supported) {
  if (place.text().empty()) return required(place);
  check_optional_one_of(place, supported);
}

void Complaints::check_optional_one_of(const Place& place, Words supported) {
  if (!place.is_set()) return;
  if (std::ranges::find(supported, place.text()) == supported.end()) {
    not_supported(place, supported);
  }
}

void Complaints::check_unchanged(const Place& place, const Place& before) {
  if (place.value() != before.value()) invalid(place, "field is immutable");
}

}  // namespace berth::apiserver
