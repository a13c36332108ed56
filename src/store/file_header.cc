#include "store/file_header.h"

#include <string>

#include <fmt/core.h>

namespace berth::store {
namespace {

// Of SQLite's database header, https://www.sqlite.org/fileformat.html
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4))
    number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

Status check_file_header(std::string_view bytes) {
  if (bytes.size() < kFileHeaderBytes || !bytes.starts_with(kMagic)) {
    return failure(Code::Invalid, "is no store of Berth: it does not begin as one");
  }
  if (const std::uint32_t id = number_at(bytes, kApplicationIdAt); id != kApplicationId) {
    return failure(Code::Invalid,
                   fmt::format("belongs to another program (its application id is {:#010x}, "
                               "Berth's is {:#010x})",
                               id, kApplicationId));
  }
  if (const std::uint32_t version = number_at(bytes, kUserVersionAt); version != kFormatVersion) {
    return failure(Code::Invalid,
                   fmt::format("has format {}; this version of Berth knows format {}", version,
                               kFormatVersion));
  }
  return {};
}

}  // namespace berth::store
