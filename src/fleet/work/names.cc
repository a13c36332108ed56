#include "fleet/work/names.h"

#include <fmt/format.h>

#include "pki/digest.h"

namespace berth::fleet {

std::string hex_sha256(std::string_view input) {
  std::string text;
  for (const char byte : pki::sha256(input)) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

std::string applied_work_name(std::string_view hub_hash, std::string_view work) {
  return fmt::format("{}-{}", hub_hash, work);
}

std::string work_lease_name(std::string_view hub_hash) {
  return fmt::format("berth-work-{}", hub_hash.substr(0, 16));
}

}  // namespace berth::fleet
