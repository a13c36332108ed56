// FieldSelector: which objects are meant, by the values of some of their fields
// ("metadata.name=x,spec.nodeName!=y"), as in the query parameter fieldSelector.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::api {

struct FieldRequirement {
  enum class Operator : std::uint8_t { Equals, NotEquals };

  std::string field;
  Operator op = Operator::Equals;
  std::string value;

  bool matches(std::string_view actual) const {
    return (actual == value) == (op == Operator::Equals);
  }

  bool operator==(const FieldRequirement&) const = default;
};

class FieldSelector {
 public:
  FieldSelector() = default;  // Matches everything.

  // Terms are joined by ','; inside a value ',', '=' and '\' are escaped with '\'. Which fields a
  // kind offers is for the caller to check. Errors have Kubernetes' texts.
  static Result<FieldSelector> parse(std::string_view text);

  // `value_of(field)` gives the text of the object's field, "" when it has none.
  template <typename ValueOf>
  bool matches(const ValueOf& value_of) const {
    return std::ranges::all_of(requirements_, [&value_of](const FieldRequirement& requirement) {
      return requirement.matches(value_of(std::string_view(requirement.field)));
    });
  }

  bool is_everything() const { return requirements_.empty(); }
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }

  // The value that the field must have, if the selector demands one.
  std::optional<std::string_view> exact_value(std::string_view field) const;

  std::string to_string() const;

  bool operator==(const FieldSelector&) const = default;

 private:
  std::vector<FieldRequirement> requirements_;
};

// The value as it must be written inside a field selector.
std::string escape_field_value(std::string_view value);

}  // namespace berth::api
