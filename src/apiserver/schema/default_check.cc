#include "apiserver/schema/default_check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/prune.h"
#include "apiserver/schema/rules.h"
#include "apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

using json::Value;

class Walk {
 public:
  void visit(const Schema& schema, const std::string& path);
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  void check(const Schema& schema, const std::string& path);

  std::vector<Cause> causes_;
};

void Walk::check(const Schema& schema, const std::string& path) {
  const Value& value = *schema.default_value;
  // A null that pruning takes out is no unknown field.
  if (!prune(schema, value).unknown_fields.empty()) {
    causes_.push_back(invalid(path, value, "must not have unknown fields"));
  }
  auto causes = validate_values(schema, value, {.path = path});
  if (causes.empty()) causes = validate_rules(schema, value, {.old = &value, .path = path});
  if (causes.empty()) causes = validate_rules(schema, value, {.path = path});
  std::ranges::move(causes, std::back_inserter(causes_));
}

void Walk::visit(const Schema& schema, const std::string& path) {
  if (schema.default_value) check(schema, child(path, "default"));
  if (schema.items) visit(*schema.items, child(path, "items"));
  for (const Field& field : schema.fields) {
    // Types of built-in kinds may form circles, and have no defaults of the definition.
    if (!field.schema->type_name.empty()) continue;
    visit(*field.schema, keyed(child(path, "properties"), field.name));
  }
}

}  // namespace

std::vector<Cause> check_defaults(const Schema& schema, const std::string& path) {
  Walk walk;
  walk.visit(schema, path);
  return walk.take_causes();
}

}  // namespace berth::apiserver
