// Whether a value has the forms that its type declares, as far as apply depends on it.

#pragma once

#include "apiserver/apply/type_ref.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// Whether associative lists may have elements that cannot be told apart. Stored objects may, for
// nobody forbade it before; configurations may not.
enum class Duplicates { Allowed, Refused };

// Code Unknown (an answer 500 without a reason, as the reference gives), with one line for each
// problem.
Status validate_forms(const json::Value& value, const TypeRef& type, Duplicates duplicates);

}  // namespace berth::apiserver
