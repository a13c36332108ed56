// The fields by which objects can be selected, and how to read them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/field_selector.h"
#include "apiserver/refusal.h"
#include "apiserver/resource.h"
#include "json/value.h"

namespace berth::apiserver {

// All kinds have metadata.name and metadata.namespace; some have more. BadRequest names the first
// field that the resource does not offer.
Attempt<void> check_selectable(const Resource& resource, const api::FieldSelector& selector);

// The value as text; "" when it is not there. The field is one that the resource offers.
std::string selectable_value(const json::Value& object, std::string_view field);

}  // namespace berth::apiserver
