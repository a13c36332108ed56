// The half of rules.h that reads rules.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/rule_field_path.h"
#include "apiserver/schema/rules.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

enum Variable : std::size_t { kSelf, kOldSelf };

// With the whole rule as its value, all fields in the order of Go's structure.
Cause invalid_rule(const std::string& field, const RuleText& text, std::string_view why) {
  Value rule = Value::object({{"Rule", text.rule},
                              {"Message", text.message},
                              {"MessageExpression", text.message_expression},
                              {"Reason", text.reason.empty() ? Value() : Value(text.reason)},
                              {"FieldPath", text.field_path},
                              {"OptionalOldSelf", Value()}});
  if (text.optional_old_self) rule["OptionalOldSelf"] = *text.optional_old_self;
  return invalid_whole(
      field, fmt::format("{}: {}", json::print(rule, {.html = json::HtmlEscape::Yes}), why));
}

class Compiler {
 public:
  Compiler(const Schema& schema, const RuleOptions& options) : schema_(schema), options_(options) {
    auto environment = std::make_shared<cel::Environment>(options.libraries);
    if (auto type = declare_type(*environment, schema, options.scope, "self")) {
      environment->add_variable("self", *type);
      auto optional = std::make_shared<cel::Environment>(*environment);
      environment->add_variable("oldSelf", *type);
      optional->add_variable("oldSelf", cel::Type::optional(*type));
      plain_ = std::move(environment);
      optional_ = std::move(optional);
    }
  }

  RuleCompilation run(std::span<const RuleText> texts);

 private:
  void compile(const RuleText& text, const std::string& path);
  std::optional<cel::Program> compile_message(
      const RuleText& text, const std::shared_ptr<const cel::Environment>& environment,
      const std::string& path);
  void check_old_self(const CompiledRule& rule, const std::string& path);

  const Schema& schema_;
  const RuleOptions& options_;
  std::shared_ptr<const cel::Environment> plain_;     // Null: nothing is known of the type.
  std::shared_ptr<const cel::Environment> optional_;  // Where oldSelf is an optional.
  CompiledRules rules_;
  std::vector<Cause> problems_;
};

RuleCompilation Compiler::run(std::span<const RuleText> texts) {
  if (!plain_) {
    problems_.push_back(
        internal_error(options_.path, "failed to convert to declType for CEL validation rules"));
    texts = {};
  }
  std::size_t index = 0;
  for (const RuleText& text : texts) compile(text, indexed(options_.path, index++));
  rules_.converts = needs_conversion(schema_);
  return {.rules = std::make_shared<const CompiledRules>(std::move(rules_)),
          .problems = std::move(problems_)};
}

void Compiler::compile(const RuleText& text, const std::string& path) {
  if (trim(text.rule).empty()) return;
  const auto& environment = text.optional_old_self.value_or(false) ? optional_ : plain_;
  auto program = cel::compile(environment, text.rule);
  const auto refuse = [&](std::string_view why) {
    problems_.push_back(invalid_rule(child(path, "rule"), text, why));
  };
  if (!program.ok()) {
    const bool is_sound = program.error().code == Code::BadRequest;
    return refuse((is_sound ? "program instantiation failed: " : "compilation failed: ") +
                  program.error().message);
  }
  if (program->result_type() != cel::Type(cel::TypeKind::Bool)) {
    return refuse("cel expression must evaluate to a bool");
  }
  CompiledRule rule{.text = text, .program = *std::move(program)};
  rule.uses_old_self = rule.program.uses_variable(kOldSelf);
  rule.message = compile_message(text, environment, path);
  if (auto field = read_field_path(schema_, text.field_path); field.ok()) {
    rule.field_path = std::move(field->text);
  } else {
    problems_.push_back(
        invalid(child(path, "fieldPath"), Value(text.field_path), "must be a valid path"));
  }
  check_old_self(rule, path);
  rules_.rules.push_back(std::move(rule));
}

std::optional<cel::Program> Compiler::compile_message(
    const RuleText& text, const std::shared_ptr<const cel::Environment>& environment,
    const std::string& path) {
  if (trim(text.message_expression).empty()) return std::nullopt;
  auto program = cel::compile(environment, text.message_expression);
  const auto refuse = [&](std::string_view why) {
    problems_.push_back(invalid_rule(child(path, "messageExpression"), text, why));
    return std::nullopt;
  };
  if (!program.ok()) {
    return refuse("messageExpression compilation failed: " + program.error().message);
  }
  if (program->result_type() != cel::Type(cel::TypeKind::String)) {
    return refuse("messageExpression must evaluate to a string");
  }
  return *std::move(program);
}

void Compiler::check_old_self(const CompiledRule& rule, const std::string& path) {
  if (rule.uses_old_self) {
    if (options_.uncorrelatable.empty()) return;
    problems_.push_back(
        invalid(child(path, "rule"), Value(rule.text.rule),
                "oldSelf cannot be used on the uncorrelatable portion of the schema within " +
                    options_.uncorrelatable));
  } else if (rule.text.optional_old_self) {
    problems_.push_back(invalid(child(path, "optionalOldSelf"), Value(*rule.text.optional_old_self),
                                "may not be set if oldSelf is not used in rule"));
  }
}

}  // namespace

std::vector<RuleText> read_rules(const Value& validations) {
  std::vector<RuleText> rules;
  for (const Value& it : validations.elements()) {
    rules.push_back({.rule = api::text_field(it, "rule"),
                     .message = api::text_field(it, "message"),
                     .message_expression = api::text_field(it, "messageExpression"),
                     .reason = api::text_field(it, "reason"),
                     .field_path = api::text_field(it, "fieldPath"),
                     .optional_old_self = api::field(it, "optionalOldSelf").as_bool()});
  }
  return rules;
}

RuleCompilation compile_rules(const Schema& schema, std::span<const RuleText> texts,
                              const RuleOptions& options) {
  return Compiler(schema, options).run(texts);
}

}  // namespace berth::apiserver
