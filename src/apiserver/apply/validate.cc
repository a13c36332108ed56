#include "apiserver/apply/validate.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

// A bad document must not cause an answer larger than itself.
constexpr std::size_t kProblemsMax = 100;

// As the reference names the types that it decodes JSON into.
std::string_view decoded_type(const Value& value) {
  switch (value.kind()) {
    case json::Kind::String:
      return "string";
    case json::Kind::Boolean:
      return "bool";
    case json::Kind::Array:
      return "[]interface {}";
    case json::Kind::Object:
      return "map[string]interface {}";
    default:
      return value.as_int() ? "int64" : "float64";
  }
}

// A text as it is, anything else as JSON.
std::string plain_text(const Value& value) {
  if (const auto text = value.as_string()) return std::string(*text);
  return json::print(value);
}

std::string problem_with_scalar(const Value& value, const TypeRef& type) {
  const bool is_scalar = value.is_number() || value.is_string() || value.is_boolean();
  const auto shown = [&] {
    return fmt::format("&value.valueUnstructured{{Value:{}}}", json::print(value));
  };
  switch (type.form()) {
    case Form::Integer:
    case Form::Number:
      if (value.is_number()) return {};
      return fmt::format("expected numeric (int or float), got {}", decoded_type(value));
    case Form::String:
      // Formats may be read from other forms too: quantities, times, int-or-string.
      if (value.is_string()) return {};
      if (is_scalar && !type.format().empty() && type.format() != "byte") return {};
      return fmt::format("expected string, got {}", shown());
    case Form::Boolean:
      if (value.is_boolean()) return {};
      return fmt::format("expected boolean, got {}", shown());
    default:
      return is_scalar ? std::string() : fmt::format("expected any scalar, got {}", shown());
  }
}

class Walk {
 public:
  explicit Walk(Duplicates duplicates) : duplicates_(duplicates) {}

  void visit(const Value& value, const TypeRef& type) {
    if (value.is_null() || problems_.size() >= kProblemsMax) return;
    switch (type.shapes_for(&value).first()) {
      case Shape::Map:
        return visit_map(value, type);
      case Shape::List:
        return visit_list(value, type);
      case Shape::Scalar:
        break;
    }
    if (std::string problem = problem_with_scalar(value, type); !problem.empty()) {
      report(std::move(problem));
    }
  }

  Status status() const {
    if (problems_.empty()) return {};
    if (problems_.size() == 1) return failure(Code::Unknown, problems_.front());
    std::string message = "errors:";
    for (const std::string& problem : problems_) message += "\n  " + problem;
    return failure(Code::Unknown, std::move(message));
  }

 private:
  void visit_map(const Value& value, const TypeRef& type) {
    if (!value.is_object()) {
      return report(fmt::format("expected map, got &{{{}}}", plain_text(value)));
    }
    for (const json::Member& member : value.members()) {
      path_.push_back(PathElement::field(member.name()));
      const bool is_allowed = type.allows(member.name());
      if (is_allowed) {
        visit(member.value, type.member(member.name()));
      } else {
        report("field not declared in schema");
      }
      path_.pop_back();
      if (!is_allowed) return;
    }
  }

  void visit_list(const Value& value, const TypeRef& type) {
    if (!value.is_array()) {
      return report(fmt::format("expected list, got &{{{}}}", plain_text(value)));
    }
    const bool is_plain = type.is_atomic(Shape::List);
    std::vector<PathElement> elements;
    elements.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto element = is_plain ? PathElement{PathElement::Kind::Index, Value(i)}
                              : type.element_of(value.elements()[i]);
      if (!element.ok()) {
        return report(fmt::format("element {}: {}", i, element.error().message));
      }
      elements.push_back(*std::move(element));
    }
    if (!is_plain && duplicates_ == Duplicates::Refused) refuse_duplicates(elements);
    for (std::size_t i = 0; i < value.size(); ++i) {
      path_.push_back(std::move(elements[i]));
      visit(value.elements()[i], type.item());
      path_.pop_back();
    }
  }

  void refuse_duplicates(const std::vector<PathElement>& elements) {
    std::vector<const PathElement*> sorted;
    sorted.reserve(elements.size());
    for (const PathElement& element : elements) sorted.push_back(&element);
    const auto value = [](const PathElement* element) -> const PathElement& { return *element; };
    std::ranges::sort(sorted, {}, value);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (*sorted[i - 1] == *sorted[i]) report("duplicate entries for key " + text_of(*sorted[i]));
    }
  }

  void report(std::string problem) {
    if (problems_.size() >= kProblemsMax) return;
    const std::string path = text_of(path_);
    problems_.push_back(path.empty() ? std::move(problem) : fmt::format("{}: {}", path, problem));
  }

  Duplicates duplicates_;
  FieldPath path_;
  std::vector<std::string> problems_;
};

}  // namespace

Status validate_forms(const Value& value, const TypeRef& type, Duplicates duplicates) {
  Walk walk(duplicates);
  walk.visit(value, type);
  return walk.status();
}

}  // namespace berth::apiserver
