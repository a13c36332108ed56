// Files of the checkout that are built into the binary; which, says CMakeLists.txt beside this.

#pragma once

#include <span>
#include <string_view>

namespace berth::app {

struct EmbeddedFile {
  std::string_view path;  // In the checkout: "deploy/crds/placements.yaml".
  std::string_view text;
};

// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace berth::app
