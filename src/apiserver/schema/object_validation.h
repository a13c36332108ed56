// Everything that a schema says about an object, in the order in which kube-apiserver looks:
// values, embedded resources, lists that are sets or maps, rules.

#pragma once

#include <cstdint>
#include <vector>

#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// What a request may change, and so what its values are held to. Embedded resources, lists and
// rules are looked at in the whole object either way.
enum class ObjectPart : std::uint8_t { Whole, Status };

struct ObjectValidation {
  const json::Value* old = nullptr;  // Null on create.
  ObjectPart part = ObjectPart::Whole;
};

// The object has been pruned and has its defaults. Nothing: it is fine. Errors make a 422.
std::vector<Cause> validate_object(const Schema& schema, const json::Value& object,
                                   const ObjectValidation& validation = {});

}  // namespace berth::apiserver
