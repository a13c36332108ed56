// replay NAME FOLDER: runs a fuzz target over the files of its corpus, so that every past finding
// stays fixed.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

#define FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef FUZZ_TARGET

namespace {

const std::map<std::string_view, FuzzTarget> kTargets = {
#define FUZZ_TARGET(name) {#name, &fuzz_##name},
#include "fuzz_targets.inc"
#undef FUZZ_TARGET
};

std::vector<char> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  const auto target = kTargets.find(argc == 3 ? argv[1] : "");
  if (target == kTargets.end()) {
    std::fprintf(stderr, "usage: replay NAME FOLDER\n");
    return 2;
  }
  int replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    const std::vector<char> bytes = read_file(entry.path());
    target->second(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++replayed;
  }
  std::printf("%d inputs replayed\n", replayed);
  return replayed > 0 ? 0 : 1;  // A corpus that went missing is a failure.
}
