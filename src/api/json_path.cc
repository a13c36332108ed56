#include "api/json_path.h"

#include <algorithm>
#include <compare>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/parse.h"

namespace berth::api {

using json::Value;

// @.a.b OP literal-or-@.path
struct JsonPath::Filter {
  std::vector<Step> left;
  Comparison comparison = Comparison::Exists;
  std::vector<Step> right = {};  // When it is no literal.
  std::optional<Value> literal = std::nullopt;
};

class JsonPathParser {
 public:
  explicit JsonPathParser(std::string_view text) : text_(text) {}

  Result<JsonPath> run();

 private:
  using Step = JsonPath::Step;
  enum class Where { Top, InFilter };

  Result<std::vector<Step>> steps(Where where);
  Result<Step> name();
  Result<Step> bracket(Where where);
  Result<Step> filter();
  Result<Step> names();
  Result<Step> numbers();
  Result<std::string> quoted();
  Result<std::optional<std::int64_t>> number();
  JsonPath::Comparison comparison();
  Result<Value> literal();

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view wanted);
  void skip_spaces();
  std::unexpected<Error> expected(std::string_view what) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

std::unexpected<Error> JsonPathParser::expected(std::string_view what) const {
  const std::string found =
      at_ < text_.size() ? quote(text_.substr(at_, 1)) : std::string("the end");
  return failure(Code::Invalid,
                 fmt::format("JSON path, offset {}: expected {}, found {}", at_, what, found));
}

bool JsonPathParser::take(std::string_view wanted) {
  if (!text_.substr(at_).starts_with(wanted)) return false;
  at_ += wanted.size();
  return true;
}

void JsonPathParser::skip_spaces() {
  while (peek() == ' ') ++at_;
}

Result<JsonPath> JsonPathParser::run() {
  if (text_.size() > JsonPath::kTextMax) {
    return failure(Code::Invalid,
                   fmt::format("JSON path: longer than {} bytes", JsonPath::kTextMax));
  }
  JsonPath path;
  ASSIGN_OR_RETURN(path.steps_, steps(Where::Top));
  if (at_ < text_.size()) return expected("'.' or '['");
  return path;
}

Result<std::vector<JsonPathParser::Step>> JsonPathParser::steps(Where where) {
  std::vector<Step> found;
  while (at_ < text_.size()) {
    if (peek() == '.') {
      ++at_;
      if (peek() == '[' || (found.empty() && at_ == text_.size())) continue;
      ASSIGN_OR_RETURN(Step step, name());
      found.push_back(std::move(step));
    } else if (peek() == '[') {
      ++at_;
      ASSIGN_OR_RETURN(Step step, bracket(where));
      found.push_back(std::move(step));
    } else {
      break;
    }
  }
  return found;
}

Result<JsonPathParser::Step> JsonPathParser::name() {
  constexpr std::string_view kEnds = ".[]()@?=!<>,: '\"";
  if (take("*")) return Step{};
  std::string name;
  while (at_ < text_.size() && !kEnds.contains(text_[at_])) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    name += text_[at_++];
  }
  if (name.empty()) return expected("a name");
  return Step{.names = {std::move(name)}};
}

Result<JsonPathParser::Step> JsonPathParser::bracket(Where where) {
  if (take("*]")) return Step{};
  if (peek() == '\'' || peek() == '"') return names();
  if (take("?(")) {
    if (where == Where::InFilter) return expected("no filter inside of a filter");
    return filter();
  }
  return numbers();
}

Result<JsonPathParser::Step> JsonPathParser::names() {
  Step step;
  do {
    skip_spaces();
    ASSIGN_OR_RETURN(std::string name, quoted());
    step.names.push_back(std::move(name));
    skip_spaces();
  } while (take(","));
  if (!take("]")) return expected("']'");
  return step;
}

Result<std::string> JsonPathParser::quoted() {
  const char mark = peek();
  if (mark != '\'' && mark != '"') return expected("a quoted name");
  std::string text;
  for (++at_; at_ < text_.size() && text_[at_] != mark; ++at_) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    text += text_[at_];
  }
  if (at_ == text_.size()) return expected("the closing quote");
  ++at_;
  return text;
}

Result<std::optional<std::int64_t>> JsonPathParser::number() {
  const std::size_t start = at_;
  if (peek() == '-') ++at_;
  while (peek() >= '0' && peek() <= '9') ++at_;
  if (start == at_) return std::optional<std::int64_t>();
  const auto value = parse_int64(text_.substr(start, at_ - start));
  if (!value) return expected("a number");
  return value;
}

Result<JsonPathParser::Step> JsonPathParser::numbers() {
  Step step;
  ASSIGN_OR_RETURN(const auto first, number());
  if (take(":")) {
    ASSIGN_OR_RETURN(const auto end, number());
    step.slice = JsonPath::Slice{.first = first, .end = end};
  } else {
    if (!first) return expected("an index, a name, '*' or a filter");
    step.indices.push_back(*first);
    while (take(",")) {
      ASSIGN_OR_RETURN(const auto next, number());
      if (!next) return expected("an index");
      step.indices.push_back(*next);
    }
  }
  if (!take("]")) return expected("']'");
  return step;
}

JsonPath::Comparison JsonPathParser::comparison() {
  using enum JsonPath::Comparison;
  constexpr std::pair<std::string_view, JsonPath::Comparison> kOperators[] = {
      {"==", Equal},          {"!=", NotEqual}, {"<=", LessOrEqual},
      {">=", GreaterOrEqual}, {"<", Less},      {">", Greater}};
  for (const auto& [text, meaning] : kOperators) {
    if (take(text)) return meaning;
  }
  return Exists;
}

Result<Value> JsonPathParser::literal() {
  if (peek() == '\'' || peek() == '"') {
    ASSIGN_OR_RETURN(const std::string text, quoted());
    return Value(text);
  }
  const std::size_t start = at_;
  while (at_ < text_.size() && peek() != ')' && peek() != ' ') ++at_;
  auto value = json::parse(text_.substr(start, at_ - start));
  if (!value.ok() || value->is_array() || value->is_object()) {
    at_ = start;
    return expected("a number, a text in quotes, true or false");
  }
  return value;
}

Result<JsonPathParser::Step> JsonPathParser::filter() {
  JsonPath::Filter filter;
  skip_spaces();
  if (!take("@")) return expected("'@'");
  ASSIGN_OR_RETURN(filter.left, steps(Where::InFilter));
  skip_spaces();
  filter.comparison = comparison();
  if (filter.comparison != JsonPath::Comparison::Exists) {
    skip_spaces();
    if (take("@")) {
      ASSIGN_OR_RETURN(filter.right, steps(Where::InFilter));
    } else {
      ASSIGN_OR_RETURN(filter.literal, literal());
    }
    skip_spaces();
  }
  if (!take(")]")) return expected("')]'");
  return Step{.filter = std::make_shared<const JsonPath::Filter>(std::move(filter))};
}

namespace {

std::partial_ordering order_of(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return *a.as_double() <=> *b.as_double();
  if (a.is_string() && b.is_string()) return *a.as_string() <=> *b.as_string();
  if (a == b) return std::partial_ordering::equivalent;
  return std::partial_ordering::unordered;
}

const Value* element_at(const Value& list, std::int64_t index) {
  const auto size = static_cast<std::int64_t>(list.size());
  if (index < 0) index += size;
  if (!list.is_array() || index < 0 || index >= size) return nullptr;
  return &list.elements()[static_cast<std::size_t>(index)];
}

}  // namespace

bool JsonPath::passes(const Filter& filter, const Value& element) {
  const Found left = follow(filter.left, element);
  if (left.empty()) return false;
  if (filter.comparison == Comparison::Exists) return true;
  const Found right = filter.literal ? Found{&*filter.literal} : follow(filter.right, element);
  if (left.size() != 1 || right.size() != 1) return false;
  const auto order = order_of(*left[0], *right[0]);
  switch (filter.comparison) {
    case Comparison::Exists:
      return true;
    case Comparison::Equal:
      return order == 0;
    case Comparison::NotEqual:
      return order != 0;
    case Comparison::Less:
      return order < 0;
    case Comparison::LessOrEqual:
      return order <= 0;
    case Comparison::Greater:
      return order > 0;
    case Comparison::GreaterOrEqual:
      return order >= 0;
  }
  return false;
}

JsonPath::Found JsonPath::take(const Step& step, const Value& value) {
  Found found;
  if (!step.names.empty()) {
    for (const std::string& name : step.names) {
      if (const Value* member = value.find(name)) found.push_back(member);
    }
  } else if (!step.indices.empty()) {
    for (const std::int64_t index : step.indices) {
      if (const Value* element = element_at(value, index)) found.push_back(element);
    }
  } else if (step.slice) {
    const auto size = static_cast<std::int64_t>(value.size());
    const auto place = [size](std::int64_t index) {
      return std::clamp(index < 0 ? index + size : index, std::int64_t{0}, size);
    };
    const std::int64_t end = place(step.slice->end.value_or(size));
    for (std::int64_t i = place(step.slice->first.value_or(0)); i < end; ++i) {
      if (const Value* element = element_at(value, i)) found.push_back(element);
    }
  } else {
    for (const Value& element : value.elements()) {
      if (!step.filter || passes(*step.filter, element)) found.push_back(&element);
    }
    if (step.filter) return found;
    for (const json::Member& member : value.members()) found.push_back(&member.value);
  }
  return found;
}

JsonPath::Found JsonPath::follow(const std::vector<Step>& steps, const Value& document) {
  Found found = {&document};
  for (const Step& step : steps) {
    Found next;
    for (const Value* value : found) {
      const Found part = take(step, *value);
      next.insert(next.end(), part.begin(), part.end());
      if (next.size() >= kFoundMax) break;
    }
    if (next.size() > kFoundMax) next.resize(kFoundMax);
    found = std::move(next);
  }
  return found;
}

Result<JsonPath> JsonPath::parse(std::string_view text) { return JsonPathParser(text).run(); }

std::vector<const Value*> JsonPath::find(const Value& document) const {
  return follow(steps_, document);
}

std::vector<Value*> JsonPath::find(Value& document) const {
  std::vector<Value*> found;
  // The document may be changed, and so may what it consists of.
  for (const Value* value : follow(steps_, document)) found.push_back(const_cast<Value*>(value));
  return found;
}

}  // namespace berth::api
