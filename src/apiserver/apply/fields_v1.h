// FieldsV1: a FieldSet as it stands in metadata.managedFields, an object of objects:
//
//   {"f:spec":{"f:ports":{"k:{\"port\":80}":{".":{},"f:name":{}}}}}
//
// A member without members is in the set; "." says so of one that has some.

#pragma once

#include "apiserver/apply/field_set.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// Steps of unknown kinds are left out. Error BadRequest, with the path up to the bad step.
Result<FieldSet> decode_fields(const json::Value& fields);

// Members in the order of the set.
json::Value encode_fields(const FieldSet& set);

}  // namespace berth::apiserver
