// The annotation in which `kubectl apply` without --server-side keeps what it applied last, and how
// an object that has one goes over to server-side apply.

#pragma once

#include <string_view>

#include "apiserver/apply/field_set.h"
#include "apiserver/apply/type_ref.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// Only the manager of this name takes over from the annotation and keeps it up to date.
inline constexpr std::string_view kKubectl = "kubectl";

bool has_last_applied(const json::Value& object);

// The fields that the annotation names and that still are as it says: a conflict about them is none
// with a stranger. Empty when there is no annotation, or none that can be read in this version.
FieldSet fields_of_last_applied(const json::Value& live, std::string_view api_version,
                                const TypeRef& type);

// The object, which has the annotation, with one that says what was applied now. Without one if
// that would make the annotations too large.
json::Value with_last_applied(json::Value object, const json::Value& applied);

}  // namespace berth::apiserver
