// The fields that a configuration names: what its author owns after applying it.

#pragma once

#include "apiserver/apply/field_set.h"
#include "apiserver/apply/type_ref.h"
#include "json/value.h"

namespace berth::apiserver {

// Every leaf, every element of associative lists and every entry of maps, but not the declared
// fields that hold them. The value must be valid (validate.h); duplicates are allowed.
FieldSet field_set_of(const json::Value& value, const TypeRef& type);

// The set and, besides, every declared field that leads to a member of it. Somebody who owns
// something in a struct owns the struct too when it comes to removing it.
FieldSet with_declared_fields(FieldSet set, const TypeRef& type);

// The set as it would have been written under today's schema: what became atomic since is owned as
// a whole.
FieldSet reconciled(FieldSet set, const TypeRef& type);

}  // namespace berth::apiserver
