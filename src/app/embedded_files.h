// Files of the checkout that are built into the binary; which, says CMakeLists.txt beside this.

#pragma once

#include <span>

#include "base/embedded_file.h"

namespace berth::app {

// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace berth::app
