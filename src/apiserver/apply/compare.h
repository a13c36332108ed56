// What two states of an object differ in, field by field.

#pragma once

#include "apiserver/apply/field_set.h"
#include "apiserver/apply/type_ref.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// A struct, a map entry or a list element that appears or disappears is
// a path of its own, besides those of what it holds. No path is in two of them, but for elements of
// lists that were several of one name on one side only.
struct Changes {
  FieldSet removed = {};
  FieldSet modified = {};
  FieldSet added = {};

  bool is_empty() const { return removed.is_empty() && modified.is_empty() && added.is_empty(); }
};

// The order of elements in associative lists does not matter. Elements that cannot be told apart
// are compared together, as if they were one. Error BadRequest for an element without what tells it
// from the others.
Result<Changes> compare(const json::Value& before, const json::Value& after, const TypeRef& type);

}  // namespace berth::apiserver
