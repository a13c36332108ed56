#include "apiserver/schema/object_validation.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "apiserver/schema/constraints.h"
#include "apiserver/schema/correlation.h"
#include "apiserver/schema/embedded.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/list_types.h"
#include "apiserver/schema/rules.h"
#include "apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Rules may rely on forms and sizes; where those are wrong, they are not asked.
bool blocks_rules(const Cause& cause) {
  constexpr std::string_view kBlocking[] = {"FieldValueNotSupported", "FieldValueRequired",
                                            "FieldValueTooLong", "FieldValueTooMany",
                                            "FieldValueTypeInvalid"};
  return std::ranges::find(kBlocking, cause.reason) != std::end(kBlocking);
}

std::vector<Cause> validate_part(const Schema& schema, const Value& object,
                                 const ObjectValidation& validation) {
  if (validation.part == ObjectPart::Whole) {
    return validate_values(schema, object, {.old = validation.old});
  }
  const Field* status = schema.find("status");
  const Value* value = object.find("status");
  if (!status || !value) return {};
  return validate_values(*status->schema, *value,
                         {.old = old_member(validation.old, "status"), .path = "status"});
}

void append(std::vector<Cause>& causes, std::vector<Cause> more) {
  std::ranges::move(more, std::back_inserter(causes));
}

}  // namespace

std::vector<Cause> validate_object(const Schema& schema, const Value& object,
                                   const ObjectValidation& validation) {
  std::vector<Cause> causes = validate_part(schema, object, validation);
  append(causes, validate_embedded(schema, object));
  if (!validation.old || validate_lists(schema, *validation.old).empty()) {
    append(causes, validate_lists(schema, object));
  }
  if (!schema.constraints || !schema.constraints->has_rules_below) return causes;
  if (std::ranges::any_of(causes, blocks_rules)) {
    causes.push_back(invalid("", Value(),
                             "some validation rules were not checked because the object was "
                             "invalid; correct the existing errors to complete validation"));
    return causes;
  }
  append(causes, validate_rules(schema, object, {.old = validation.old}));
  return causes;
}

}  // namespace berth::apiserver
