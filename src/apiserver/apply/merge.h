// Merging an applied configuration into an object, and taking fields out of one.

#pragma once

#include "apiserver/apply/field_set.h"
#include "apiserver/apply/type_ref.h"
#include "json/value.h"

namespace berth::apiserver {

// `live` with what `applied` says: objects member by member, associative lists element by element,
// everything else replaced. Nothing disappears. The elements of `applied` keep their order among
// each other, those that only `live` has stay before the shared ones that they stood before.
//
// Both must be valid (validate.h); of the two only `live` may have duplicates.
json::Value merge(const json::Value& live, const json::Value& applied, const TypeRef& type);

// The value without the fields and elements of the set. What loses its last part becomes null; a
// set that reaches into something atomic or empty takes all of it.
json::Value remove_fields(const json::Value& value, const FieldSet& fields, const TypeRef& type);

}  // namespace berth::apiserver
