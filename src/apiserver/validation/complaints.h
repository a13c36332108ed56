// Complaints: what is wrong with an object of a built-in kind, in the order and the words in which
// kube-apiserver says it.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/names.h"
#include "apiserver/validation/place.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

class Complaints {
 public:
  using Words = std::initializer_list<std::string_view>;

  void required(const Place& place, std::string_view detail = "");
  void forbidden(const Place& place, std::string_view detail);
  void invalid(const Place& place, std::string_view detail);
  // Where the message shows something else than what is there.
  void invalid(const Place& place, const json::Value& shown, std::string_view detail);
  void not_supported(const Place& place, Words supported);
  void not_supported(const Place& place, const json::Value& shown, Words supported);
  void duplicate(const Place& place);
  void duplicate(const Place& place, const json::Value& shown);
  void not_found(const Place& place);
  void add(Cause cause) { causes_.push_back(std::move(cause)); }

  // The usual rules. What is absent is fine, except where it says otherwise.
  void check_names(const Place& place, const api::Problems& problems);
  void check_not_negative(const Place& place);
  void check_positive(const Place& place);                 // Must be there.
  void check_port(const Place& place);                     // A number or a name; must be there.
  void check_one_of(const Place& place, Words supported);  // Must be there.
  void check_optional_one_of(const Place& place, Words supported);
  void check_unchanged(const Place& place, const Place& before);

  std::size_t size() const { return causes_.size(); }
  std::vector<Cause> take() { return std::move(causes_); }

 private:
  std::vector<Cause> causes_;
};

inline constexpr std::string_view kNotNegative = "must be greater than or equal to 0";

}  // namespace berth::apiserver
