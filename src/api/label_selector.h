// LabelSelector: which objects are meant, by their labels. Read from an object's
// matchLabels/matchExpressions or from the text of `kubectl -l`.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/label_requirement.h"
#include "api/labels.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::api {

class LabelSelector {
 public:
  LabelSelector() = default;  // Matches everything.
  static LabelSelector nothing();

  // All of them must match.
  explicit LabelSelector(std::vector<LabelRequirement> requirements);

  // {matchLabels, matchExpressions}. Null selects nothing and an empty object everything, as
  // Kubernetes has it. Errors have Kubernetes' texts.
  static Result<LabelSelector> from_json(const json::Value& selector);

  // "a=b,c!=d,e in (x,y),!f,g,h>1,i<2"; "" selects everything.
  static Result<LabelSelector> parse(std::string_view text);

  bool matches(const Labels& labels) const;
  bool is_everything() const { return !matches_nothing_ && requirements_.empty(); }
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }  // By key.

  // The value that the label must have, if the first requirement on it leaves only one.
  std::optional<std::string_view> exact_value(std::string_view key) const;

  // Canonical: sorted by key. Everything and nothing are both "".
  std::string to_string() const;

  bool operator==(const LabelSelector&) const = default;

 private:
  std::vector<LabelRequirement> requirements_;
  bool matches_nothing_ = false;
};

}  // namespace berth::api
