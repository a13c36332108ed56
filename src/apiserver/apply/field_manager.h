// Server-side apply and the bookkeeping of every other write: the two calls that the verbs make.
// Both answer what kube-apiserver with structured-merge-diff answers.

#pragma once

#include <string>

#include "apiserver/apply/field_set.h"
#include "apiserver/schema/schema.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct ApplyOptions {
  std::string manager;
  std::string api_version;  // Of the request: "apps/v1".
  std::string kind;
  std::string subresource = {};
  bool force = false;  // Takes fields from others instead of failing.
  Time now;
  const FieldSet* reset_fields = nullptr;  // See UpdateOptions.
};

// The object after a configuration was applied to `live` (nullptr: there is none yet), with its
// metadata.managedFields. Neither pruned nor defaulted. An apply that changes nothing answers
// `live`, but whoever applies what is there already becomes one of its owners.
//
// Errors: Conflict with a cause FieldManagerConflict for each field that somebody else owns and
// that would change; BadRequest for another kind or version and for managedFields in the
// configuration; Unknown (500 without a reason) for what does not fit the schema.
Result<json::Value> apply(const json::Value* live, const json::Value& applied, const Schema& schema,
                          const ApplyOptions& options);

struct UpdateOptions {
  std::string manager;
  std::string api_version;
  std::string subresource = {};
  Time now;

  // What this kind of request cannot set, with everything below: "status" for the object itself
  // where it has a subresource for that, "spec" for the status. Nobody owns it by such a request.
  const FieldSet* reset_fields = nullptr;
};

// The object that a create (`live` is nullptr), an update or a patch other than apply made, with
// its metadata.managedFields: what changed belongs to the manager now. The object has its defaults
// already and nothing that is not declared.
//
// managedFields that the object brings are taken if they can be read, except for subresources;
// [{}], and for built-in types [] too, turns the bookkeeping off until the next apply. Otherwise
// those of `live` go on. If nothing changed they stay as they are, times included. An object that
// does not fit the schema loses them.
json::Value update(const json::Value* live, json::Value object, const Schema& schema,
                   const UpdateOptions& options);

}  // namespace berth::apiserver
