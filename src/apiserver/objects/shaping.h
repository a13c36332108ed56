// Shaping: from what a client sent to what its kind allows: known fields only, defaults in place.

#pragma once

#include <string>
#include <vector>

#include "apiserver/refusal.h"
#include "apiserver/requests/options.h"
#include "apiserver/resource.h"
#include "apiserver/schema/object_validation.h"
#include "json/value.h"

namespace berth::apiserver {

// An object on its way into the store, and what its sender should hear about it.
struct Proposal {
  json::Value object;
  std::vector<std::string> warnings = {};
};

// Takes out what the kind does not know; tells or refuses it, as the client wishes. Values of the
// wrong type in a built-in kind cannot be read at all: BadRequest.
Attempt<Proposal> shape(const Resource& resource, json::Value object,
                        const std::vector<std::string>& duplicate_fields,
                        FieldValidation validation);

void put_defaults(const Resource& resource, json::Value& object);

// What is wrong with the values.
std::vector<Cause> check_values(const Resource& resource, const json::Value& object,
                                const ObjectValidation& validation);

}  // namespace berth::apiserver
