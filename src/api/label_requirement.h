// LabelRequirement: one condition on labels, checked once and then matched many times.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/labels.h"
#include "base/result.h"

namespace berth::api {

class LabelRequirement {
 public:
  // The two spellings of equality print differently and mean the same.
  enum class Operator : std::uint8_t {
    In,
    NotIn,
    Equals,
    DoubleEquals,
    NotEquals,
    GreaterThan,
    LessThan,
    Exists,
    DoesNotExist,
  };

  // Errors have Kubernetes' texts; several are joined as "[first, second]".
  static Result<LabelRequirement> make(std::string_view key, Operator op,
                                       std::vector<std::string> values);

  const std::string& key() const { return key_; }
  Operator op() const { return operator_; }
  const std::vector<std::string>& values() const { return values_; }  // Sorted.

  // Negative operators also match labels without the key; comparisons only match whole numbers.
  bool matches(const Labels& labels) const;

  // As in `kubectl -l`: "a=b", "a in (b,c)", "!a".
  std::string to_string() const;

  bool operator==(const LabelRequirement&) const = default;

 private:
  LabelRequirement(std::string_view key, Operator op, std::vector<std::string> values);
  bool has_value(std::string_view value) const;

  std::string key_;
  Operator operator_;
  std::vector<std::string> values_;
  std::int64_t bound_ = 0;  // What to compare with, for GreaterThan and LessThan.
};

// `<nil>: Invalid value: "-": name part must...`, the way Kubernetes refuses a key in a text.
Status check_label_key(std::string_view key, std::string_view path);

}  // namespace berth::api
