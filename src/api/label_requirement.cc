#include "api/label_requirement.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/names.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::api {
namespace {

using Operator = LabelRequirement::Operator;

constexpr std::size_t kLinearSearchMax = 8;

// Unlike parse_int64 it takes a leading '+', as Go's strconv does.
std::optional<std::int64_t> parse_whole_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return parse_int64(text);
}

// A list of strings as Go's encoding/json prints it inside an error; no values print as null.
std::string print_values(const std::vector<std::string>& values) {
  if (values.empty()) return "null";
  json::Value list = json::Value::array();
  for (const std::string& value : values) list.push_back(value);
  return json::print(list, {.html = json::HtmlEscape::Yes});
}

// What is wrong with the number or the kind of values.
std::optional<std::string> check_count(Operator op, const std::vector<std::string>& values) {
  switch (op) {
    case Operator::In:
    case Operator::NotIn:
      if (!values.empty()) return std::nullopt;
      return "for 'in', 'notin' operators, values set can't be empty";
    case Operator::Equals:
    case Operator::DoubleEquals:
    case Operator::NotEquals:
      if (values.size() == 1) return std::nullopt;
      return "exact-match compatibility requires one single value";
    case Operator::GreaterThan:
    case Operator::LessThan:
      if (values.size() == 1) return std::nullopt;
      return "for 'Gt', 'Lt' operators, exactly one value is required";
    case Operator::Exists:
    case Operator::DoesNotExist:
      if (values.empty()) return std::nullopt;
      return "values set must be empty for exists and does not exist";
  }
  return std::nullopt;
}

bool compares(Operator op) { return op == Operator::GreaterThan || op == Operator::LessThan; }

std::string invalid(std::string_view path, std::string_view value, const std::string& problem) {
  return fmt::format("{}: Invalid value: {}: {}", path, quote(value), problem);
}

std::vector<std::string> find_problems(std::string_view key, Operator op,
                                       const std::vector<std::string>& values) {
  std::vector<std::string> found;
  if (const auto status = check_label_key(key, "key"); !status.ok()) {
    found.push_back(status.error().message);
  }
  if (const auto problem = check_count(op, values)) {
    found.push_back(fmt::format("values: Invalid value: {}: {}", print_values(values), *problem));
  }
  for (std::size_t i = 0; compares(op) && i < values.size(); ++i) {
    if (parse_whole_number(values[i])) continue;
    found.push_back(invalid(fmt::format("values[{}]", i), values[i],
                            "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Problems problems = check_label_value(values[i]);
    if (problems.empty()) continue;
    found.push_back(
        invalid(fmt::format("values[{}][{}]", i, key), values[i], join(problems, "; ")));
  }
  return found;
}

std::string_view symbol(Operator op) {
  switch (op) {
    case Operator::In:
      return " in ";
    case Operator::NotIn:
      return " notin ";
    case Operator::Equals:
      return "=";
    case Operator::DoubleEquals:
      return "==";
    case Operator::NotEquals:
      return "!=";
    case Operator::GreaterThan:
      return ">";
    case Operator::LessThan:
      return "<";
    case Operator::Exists:
    case Operator::DoesNotExist:
      return "";
  }
  return "";
}

}  // namespace

Status check_label_key(std::string_view key, std::string_view path) {
  const Problems problems = check_qualified_name(key);
  if (problems.empty()) return {};
  return failure(Code::Invalid, invalid(path, key, join(problems, "; ")));
}

Result<LabelRequirement> LabelRequirement::make(std::string_view key, Operator op,
                                                std::vector<std::string> values) {
  const std::vector<std::string> problems = find_problems(key, op, values);
  if (problems.size() == 1) return failure(Code::Invalid, problems.front());
  if (!problems.empty()) return failure(Code::Invalid, "[" + join(problems, ", ") + "]");
  return LabelRequirement(key, op, std::move(values));
}

LabelRequirement::LabelRequirement(std::string_view key, Operator op,
                                   std::vector<std::string> values)
    : key_(key), operator_(op), values_(std::move(values)) {
  std::ranges::sort(values_);
  if (compares(op)) bound_ = parse_whole_number(values_.front()).value();
}

bool LabelRequirement::has_value(std::string_view value) const {
  if (values_.size() <= kLinearSearchMax) {
    return std::ranges::find(values_, value) != values_.end();
  }
  return std::ranges::binary_search(values_, value, {},
                                    [](const std::string& v) { return std::string_view(v); });
}

bool LabelRequirement::matches(const Labels& labels) const {
  const std::optional<std::string_view> value = labels.find(key_);
  switch (operator_) {
    case Operator::In:
    case Operator::Equals:
    case Operator::DoubleEquals:
      return value && has_value(*value);
    case Operator::NotIn:
    case Operator::NotEquals:
      return !value || !has_value(*value);
    case Operator::Exists:
      return value.has_value();
    case Operator::DoesNotExist:
      return !value;
    case Operator::GreaterThan:
    case Operator::LessThan:
      break;
  }
  const auto number = value ? parse_whole_number(*value) : std::nullopt;
  if (!number) return false;
  return operator_ == Operator::GreaterThan ? *number > bound_ : *number < bound_;
}

std::string LabelRequirement::to_string() const {
  if (operator_ == Operator::DoesNotExist) return "!" + key_;
  const bool is_set = operator_ == Operator::In || operator_ == Operator::NotIn;
  return fmt::format("{}{}{}{}{}", key_, symbol(operator_), is_set ? "(" : "", join(values_, ","),
                     is_set ? ")" : "");
}

}  // namespace berth::api
