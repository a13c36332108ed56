#include "api/label_selector.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "api/label_selector_text.h"
#include "base/strings.h"
#include "json/text_of.h"

namespace berth::api {
namespace {

using Operator = LabelRequirement::Operator;

std::unexpected<Error> wrong_kind(std::string_view path, std::string_view expected,
                                  const json::Value& found) {
  return failure(Code::Invalid, fmt::format("{}: expected {}, found {}", path, expected,
                                            json::kind_name(found.kind())));
}

// The only four that an object may name; Gt and Lt exist in texts alone.
Result<Operator> read_operator(std::string_view name) {
  if (name == "In") return Operator::In;
  if (name == "NotIn") return Operator::NotIn;
  if (name == "Exists") return Operator::Exists;
  if (name == "DoesNotExist") return Operator::DoesNotExist;
  return failure(Code::Invalid,
                 fmt::format("{} is not a valid label selector operator", quote(name)));
}

Result<std::vector<std::string>> read_values(const json::Value* values) {
  std::vector<std::string> texts;
  if (!values || values->is_null()) return texts;
  if (!values->is_array()) return wrong_kind("values", "an array", *values);
  for (const json::Value& value : values->elements()) {
    const auto text = value.as_string();
    if (!text) return wrong_kind("values", "strings", value);
    texts.emplace_back(*text);
  }
  return texts;
}

Result<LabelRequirement> read_expression(const json::Value& expression) {
  if (!expression.is_object()) return wrong_kind("matchExpressions", "objects", expression);
  ASSIGN_OR_RETURN(const Operator op, read_operator(text_of(expression, "operator")));
  ASSIGN_OR_RETURN(auto values, read_values(expression.find("values")));
  return LabelRequirement::make(text_of(expression, "key"), op, std::move(values));
}

}  // namespace

LabelSelector::LabelSelector(std::vector<LabelRequirement> requirements) {
  // By key, and by place among equal keys.
  std::vector<std::pair<std::string_view, std::size_t>> order;
  for (std::size_t i = 0; i < requirements.size(); ++i)
    order.emplace_back(requirements[i].key(), i);
  std::ranges::sort(order);
  std::vector<std::size_t> places;  // The views in `order` die when the requirements move.
  for (const auto& [key, place] : order) places.push_back(place);
  requirements_.reserve(requirements.size());
  for (const std::size_t place : places) requirements_.push_back(std::move(requirements[place]));
}

LabelSelector LabelSelector::nothing() {
  LabelSelector selector;
  selector.matches_nothing_ = true;
  return selector;
}

Result<LabelSelector> LabelSelector::from_json(const json::Value& selector) {
  if (selector.is_null()) return nothing();
  if (!selector.is_object()) return wrong_kind("labelSelector", "an object", selector);
  std::vector<LabelRequirement> requirements;
  if (const json::Value* labels = selector.find("matchLabels"); labels && !labels->is_null()) {
    if (!labels->is_object()) return wrong_kind("matchLabels", "an object", *labels);
    for (const json::Member& label : labels->members()) {
      const auto value = label.value.as_string();
      if (!value) return wrong_kind("matchLabels", "strings", label.value);
      ASSIGN_OR_RETURN(auto requirement, LabelRequirement::make(label.name(), Operator::Equals,
                                                                {std::string(*value)}));
      requirements.push_back(std::move(requirement));
    }
  }
  if (const json::Value* list = selector.find("matchExpressions"); list && !list->is_null()) {
    if (!list->is_array()) return wrong_kind("matchExpressions", "an array", *list);
    for (const json::Value& expression : list->elements()) {
      ASSIGN_OR_RETURN(auto requirement, read_expression(expression));
      requirements.push_back(std::move(requirement));
    }
  }
  return LabelSelector(std::move(requirements));
}

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  ASSIGN_OR_RETURN(auto requirements, parse_label_requirements(text));
  return LabelSelector(std::move(requirements));
}

bool LabelSelector::matches(const Labels& labels) const {
  if (matches_nothing_) return false;
  return std::ranges::all_of(requirements_, [&labels](const LabelRequirement& requirement) {
    return requirement.matches(labels);
  });
}

std::optional<std::string_view> LabelSelector::exact_value(std::string_view key) const {
  const auto found = std::ranges::find(requirements_, key, &LabelRequirement::key);
  if (found == requirements_.end() || found->values().size() != 1) return std::nullopt;
  const bool exact = found->op() == Operator::In || found->op() == Operator::Equals ||
                     found->op() == Operator::DoubleEquals;
  return exact ? std::optional<std::string_view>(found->values().front()) : std::nullopt;
}

std::string LabelSelector::to_string() const {
  std::vector<std::string> texts;
  for (const LabelRequirement& requirement : requirements_) {
    texts.push_back(requirement.to_string());
  }
  return join(texts, ",");
}

}  // namespace berth::api
