// What `kubectl explain` says about built-in types: one line each, where a line helps.

#pragma once

#include <string_view>

namespace berth::apiserver {

// Of a type by its name in OpenAPI ("io.k8s.api.core.v1.Pod"); empty when there is none.
std::string_view type_description(std::string_view type_name);

// Of a field; empty when there is none. Some fields mean the same in all types.
std::string_view field_description(std::string_view type_name, std::string_view field);

}  // namespace berth::apiserver
