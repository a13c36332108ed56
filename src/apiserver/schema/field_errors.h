// What is wrong with a field, in the words that Kubernetes' API machinery uses for it, so that
// clients and people find the messages they know.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// Paths as Kubernetes writes them: "spec.versions[0].name", "metadata.labels[app]". The empty path
// is the object itself, which errors spell "<nil>".
std::string child(std::string_view path, std::string_view name);
std::string keyed(std::string_view path, std::string_view key);
std::string indexed(std::string_view path, std::size_t index);

Cause required(std::string_view field, std::string_view detail);
Cause forbidden(std::string_view field, std::string_view detail);
Cause invalid(std::string_view field, const json::Value& value, std::string_view detail);
// The value is left out because it would be long.
Cause invalid_whole(std::string_view field, std::string_view detail);
Cause type_invalid(std::string_view field, const json::Value& value, std::string_view detail);
Cause not_supported(std::string_view field, const json::Value& value,
                    std::span<const std::string> supported);
Cause duplicate(std::string_view field, const json::Value& value);
Cause too_long(std::string_view field, std::int64_t bytes_max);
Cause too_many(std::string_view field, std::int64_t count, std::int64_t count_max);
Cause internal_error(std::string_view field, std::string_view detail);

// A value as those messages show it: strings in quotes, numbers as Go prints them, lists and
// objects as JSON with sorted names.
std::string shown(const json::Value& value);

// A number as Go's %v prints a float64: 1.5, 100000, 1e+06.
std::string shown(double number);

// The second half of a Status' message, as in `Foo "a" is invalid: spec.n: Required value`: one
// error as it is, several in brackets, each once.
std::string describe(std::span<const Cause> causes);

}  // namespace berth::apiserver
