#include "apiserver/schema/defaulting.h"

#include <utility>

#include "apiserver/schema/members.h"

namespace berth::apiserver {
namespace {

using json::Value;

bool is_refused_null(const Value& value, const Schema& schema) {
  return value.is_null() && !schema.is_nullable;
}

void fill(Value& value, const Schema& schema);

void fill_object(Value& object, const Schema& schema) {
  for (const Field& field : schema.fields) {
    if (!field.schema->default_value) continue;
    const Value* present = object.find(field.name);
    if (!present) {
      object.append_member(field.name, *field.schema->default_value);
    } else if (is_refused_null(*present, *field.schema)) {
      object[field.name] = *field.schema->default_value;
    }
  }
  for (json::Member& member : members_of(object)) {
    const Field* known = schema.find(member.name());
    const Schema* part = known ? known->schema : schema.additional;
    if (!part) continue;
    const bool is_filled = !known && part->default_value && is_refused_null(member.value, *part);
    if (!is_filled && !member.value.is_object() && !member.value.is_array()) continue;
    if (is_filled) member.value = *part->default_value;
    fill(member.value, *part);
  }
}

void fill(Value& value, const Schema& schema) {
  if (value.is_object()) {
    fill_object(value, schema);
  } else if (value.is_array() && schema.items) {
    for (Value& element : value.elements()) {
      if (schema.items->default_value && is_refused_null(element, *schema.items)) {
        element = *schema.items->default_value;
      }
      fill(element, *schema.items);
    }
  }
}

}  // namespace

Value with_defaults(const Schema& schema, Value value) {
  fill(value, schema);
  return value;
}

}  // namespace berth::apiserver
