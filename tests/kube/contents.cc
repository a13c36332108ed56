#include "kube/contents.h"

#include <fstream>
#include <iterator>

namespace berth::kube {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace berth::kube
