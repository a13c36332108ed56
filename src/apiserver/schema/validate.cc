#include "apiserver/schema/validate.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apiserver/schema/constraints.h"
#include "apiserver/schema/correlation.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/value_checks.h"
#include "apiserver/schema/value_path.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Most objects are fine, so the first walk only looks whether one is; the second tells what is
// wrong with those that are not.
enum class Purpose : std::uint8_t { Check, Explain };

struct Subject {
  const Schema& schema;
  const Value& value;
  const Value* old = nullptr;
  const ValuePath& path;
  Origin origin = Origin::Custom;
};

class Walk {
 public:
  Walk(Purpose purpose, std::string_view prefix) : purpose_(purpose), prefix_(prefix) {}

  // Counts the checks that passed: of several alternatives that all fail, the one with the most is
  // taken for the intended one.
  int visit(const Subject& subject);

  bool failed() const { return failures_ > 0; }
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  int visit_parts(const Subject& subject);
  int visit_scalar(const Subject& subject, const Constraints& constraints);
  int visit_array(const Subject& subject, const Constraints* constraints);
  int visit_object(const Subject& subject, const Constraints* constraints);
  int visit_member(const Subject& subject, const Constraints* constraints,
                   const json::Member& member);
  void check_required(const Subject& subject);
  int visit_alternatives(const Subject& subject, const Constraints& constraints);
  int visit_any_of(const Subject& subject, const Constraints& constraints);
  int visit_one_of(const Subject& subject, const Constraints& constraints);
  int visit_all_of(const Subject& subject, const Constraints& constraints);

  bool is_done(std::size_t failures_before) const {
    return failures_ > failures_before &&
           (purpose_ == Purpose::Check || causes_.size() >= kCausesMax);
  }
  int note(const Subject& subject, const Check& check);  // 1 when there is nothing to note.
  void note(const Subject& subject, std::string_view name, const Check& check);
  void note_composite(const Subject& subject, std::string_view what, std::string_view more);
  std::string field_of(std::string_view name) const;

  // What one alternative came to, kept aside.
  struct Trial {
    bool passed = false;
    int matches = 0;
    std::vector<Cause> causes = {};
  };
  Trial attempt(const Subject& subject, const Schema& schema);

  Purpose purpose_;
  std::string_view prefix_;
  std::size_t failures_ = 0;
  std::vector<Cause> causes_;
};

std::string Walk::field_of(std::string_view name) const {
  if (name.empty()) return std::string(prefix_);
  return child(prefix_, name);
}

void Walk::note(const Subject&, std::string_view name, const Check& check) {
  ++failures_;
  if (purpose_ == Purpose::Explain) causes_.push_back(check->explain(field_of(name), name));
}

int Walk::note(const Subject& subject, const Check& check) {
  if (!check) return 1;
  note(subject, purpose_ == Purpose::Explain ? subject.path.text() : std::string(), check);
  return 0;
}

void Walk::note_composite(const Subject& subject, std::string_view what, std::string_view more) {
  ++failures_;
  if (purpose_ == Purpose::Check) return;
  causes_.push_back(invalid(prefix_, Value(""),
                            fmt::format("{} must {}{}", quote(subject.path.text()), what, more)));
}

int Walk::visit(const Subject& subject) {
  const std::size_t failures_before = failures_;
  const std::size_t causes_before = causes_.size();
  const int matches = visit_parts(subject);
  if (failures_ > failures_before && subject.old && subject.value == *subject.old) {
    failures_ = failures_before;
    causes_.resize(causes_before);
  }
  return matches;
}

int Walk::visit_parts(const Subject& subject) {
  const Constraints* constraints = subject.schema.constraints.get();
  const Value& value = subject.value;
  const std::size_t before = failures_;
  int matches = 0;
  if (subject.schema.form != Form::Any) {
    matches += note(subject, check_form(subject.schema, value, subject.origin));
  }
  if (is_done(before)) return matches;
  if (value.is_null()) {
    if (constraints && subject.origin == Origin::Custom) {
      note(subject, check_allowed(*constraints, value));
    }
    return matches;
  }
  if (subject.schema.form != Form::Any) ++matches;
  if (constraints) {
    matches += visit_alternatives(subject, *constraints);
    matches += visit_scalar(subject, *constraints);
  } else if (subject.origin == Origin::BuiltIn && value.is_string()) {
    note(subject,
         check_text_format(subject.schema, find_format(subject.schema.format), *value.as_string()));
  }
  if (is_done(before)) return matches;
  if (value.is_array()) matches += 1 + visit_array(subject, constraints);
  if (constraints) note(subject, check_allowed(*constraints, value));
  ++matches;
  if (value.is_object()) matches += 1 + visit_object(subject, constraints);
  return matches + 1;
}

int Walk::visit_scalar(const Subject& subject, const Constraints& constraints) {
  const Value& value = subject.value;
  if (const auto text = value.as_string()) {
    note(subject, check_text(constraints, *text));
    if (constraints.format == Format::None) return 1;
    note(subject, check_text_format(subject.schema, constraints.format, *text));
    return 2;
  }
  if (value.is_number()) {
    note(subject, check_multiple(constraints, value));
    note(subject, check_minimum(constraints, value));
    note(subject, check_maximum(constraints, value));
    return 2;
  }
  return 0;
}

int Walk::visit_array(const Subject& subject, const Constraints* constraints) {
  const std::size_t before = failures_;
  int matches = 1;
  if (subject.schema.items) {
    const OldElements old(subject.schema, subject.old);
    std::size_t index = 0;
    for (const Value& element : subject.value.elements()) {
      matches += visit({.schema = *subject.schema.items,
                        .value = element,
                        .old = old.find(element),
                        .path = subject.path.index(index++),
                        .origin = subject.origin});
      if (is_done(before)) return matches;
    }
  }
  if (constraints) {
    note(subject, check_items_min(*constraints, subject.value.size()));
    note(subject, check_items_max(*constraints, subject.value.size()));
  }
  return matches;
}

int Walk::visit_member(const Subject& subject, const Constraints* constraints,
                       const json::Member& member) {
  const Field* known = subject.schema.find(member.name());
  const Schema* part = known ? known->schema : subject.schema.additional;
  if (!known && constraints && constraints->is_closed) {
    const std::string name(member.name());
    note(subject, Violation{[&name](std::string_view field, std::string_view place) {
           return invalid(field, Value(name),
                          fmt::format("{}.{} in body is a forbidden property", place, name));
         }});
    return 0;
  }
  if (!part) return 0;
  const bool names_the_type = member.name() == "apiVersion" || member.name() == "kind";
  const bool is_correlated = !(subject.path.is_root() && names_the_type);
  const bool is_built_in = subject.origin == Origin::BuiltIn || !part->type_name.empty();
  return visit({.schema = *part,
                .value = member.value,
                .old = is_correlated ? old_member(subject.old, member.name()) : nullptr,
                .path = subject.path.child(member.name()),
                .origin = is_built_in ? Origin::BuiltIn : Origin::Custom});
}

int Walk::visit_object(const Subject& subject, const Constraints* constraints) {
  const std::size_t before = failures_;
  if (constraints) {
    note(subject, check_properties_min(*constraints, subject.value.size()));
    note(subject, check_properties_max(*constraints, subject.value.size()));
  }
  int matches = 0;
  if (purpose_ == Purpose::Check) {
    for (const json::Member& member : subject.value.members()) {
      matches += visit_member(subject, constraints, member);
      if (is_done(before)) return matches;
    }
  } else {
    std::vector<const json::Member*> by_name;
    for (const json::Member& member : subject.value.members()) by_name.push_back(&member);
    std::ranges::sort(by_name, {}, &json::Member::name);
    for (const json::Member* member : by_name) {
      matches += visit_member(subject, constraints, *member);
      if (is_done(before)) return matches;
    }
  }
  check_required(subject);
  return matches;
}

void Walk::check_required(const Subject& subject) {
  // What a built-in type requires is checked where its kind is.
  if (subject.origin == Origin::BuiltIn) return;
  const Constraints* constraints = subject.schema.constraints.get();
  for (const std::string& name : constraints ? constraints->required : subject.schema.required) {
    if (subject.value.find(name)) continue;
    const Check missing =
        Violation{[](std::string_view field, std::string_view) { return required(field, ""); }};
    const ValuePath path = subject.path.child(name);
    note(subject, purpose_ == Purpose::Explain ? path.text() : std::string(), missing);
  }
}

Walk::Trial Walk::attempt(const Subject& subject, const Schema& schema) {
  const std::size_t failures_before = std::exchange(failures_, 0);
  std::vector<Cause> causes_before = std::exchange(causes_, {});
  Trial trial;
  trial.matches = visit({.schema = schema,
                         .value = subject.value,
                         .old = subject.old,
                         .path = subject.path,
                         .origin = subject.origin});
  trial.passed = failures_ == 0;
  trial.causes = std::exchange(causes_, std::move(causes_before));
  failures_ = failures_before;
  return trial;
}

int Walk::visit_alternatives(const Subject& subject, const Constraints& constraints) {
  int matches = 2;
  if (!constraints.any_of.empty()) matches += visit_any_of(subject, constraints);
  if (!constraints.one_of.empty()) matches += visit_one_of(subject, constraints);
  if (!constraints.all_of.empty()) matches += visit_all_of(subject, constraints);
  if (constraints.none_of && attempt(subject, *constraints.none_of).passed) {
    note_composite(subject, "not validate the schema (not)", "");
  }
  return matches;
}

int Walk::visit_any_of(const Subject& subject, const Constraints& constraints) {
  std::optional<Trial> best;
  for (const Schema* schema : constraints.any_of) {
    Trial trial = attempt(subject, *schema);
    if (trial.passed) return trial.matches;
    if (!best || trial.matches > best->matches) best = std::move(trial);
  }
  note_composite(subject, "validate at least one schema (anyOf)", "");
  causes_.insert(causes_.end(), best->causes.begin(), best->causes.end());
  return best->matches;
}

int Walk::visit_one_of(const Subject& subject, const Constraints& constraints) {
  std::optional<Trial> best;
  int passed = 0;
  int matches = 0;
  for (const Schema* schema : constraints.one_of) {
    Trial trial = attempt(subject, *schema);
    if (trial.passed) {
      if (++passed == 1) matches = trial.matches;
    } else if (passed == 0 && (!best || trial.matches > best->matches)) {
      best = std::move(trial);
    }
  }
  if (passed == 1) return matches;
  note_composite(
      subject, "validate one and only one schema (oneOf). ",
      passed == 0 ? "Found none valid" : fmt::format("Found {} valid alternatives", passed));
  if (passed > 0) return 0;
  causes_.insert(causes_.end(), best->causes.begin(), best->causes.end());
  return best->matches;
}

int Walk::visit_all_of(const Subject& subject, const Constraints& constraints) {
  std::size_t passed = 0;
  int matches = 0;
  for (const Schema* schema : constraints.all_of) {
    Trial trial = attempt(subject, *schema);
    if (trial.passed) ++passed;
    matches += trial.matches;
    causes_.insert(causes_.end(), trial.causes.begin(), trial.causes.end());
  }
  if (passed < constraints.all_of.size()) {
    note_composite(subject, "validate all the schemas (allOf)",
                   passed == 0 ? ". None validated" : "");
  }
  return matches;
}

}  // namespace

std::vector<Cause> validate_values(const Schema& schema, const Value& value,
                                   const ValidateOptions& options) {
  const ValuePath root;
  const Subject subject{.schema = schema,
                        .value = value,
                        .old = options.old,
                        .path = root,
                        .origin = schema.type_name.empty() ? Origin::Custom : Origin::BuiltIn};
  Walk check(Purpose::Check, options.path);
  check.visit(subject);
  if (!check.failed()) return {};
  Walk explain(Purpose::Explain, options.path);
  explain.visit(subject);
  return explain.take_causes();
}

}  // namespace berth::apiserver
