// A file of the checkout that is built into the binary; cmake/embed.cmake puts it there.

#pragma once

#include <string_view>

namespace berth {

struct EmbeddedFile {
  std::string_view path;  // In the checkout: "deploy/crds/placements.yaml".
  std::string_view text;
};

}  // namespace berth
