// The table of built-in kinds as it is checked in, in kinds/data/: what tools/kinds wrote of a real
// server.

#pragma once

#include <span>
#include <string_view>

#include "base/embedded_file.h"
#include "json/value.h"

namespace berth::apiserver {

// Sorted by path.
std::span<const EmbeddedFile> kinds_files();

// One of them as JSON: "resources", "types", "protobuf", "tables". There must be such a file.
json::Value read_kinds_file(std::string_view name);

}  // namespace berth::apiserver
