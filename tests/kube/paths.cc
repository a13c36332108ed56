#include "kube/paths.h"

namespace berth::kube {

std::filesystem::path source_path(std::string_view path) {
  return std::filesystem::path(BERTH_SOURCE) / path;
}

std::filesystem::path berth_program() { return BERTH_PROGRAM; }

}  // namespace berth::kube
