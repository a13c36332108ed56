#include "local/pod_address.h"

#include <cctype>
#include <cstdint>

#include <fmt/format.h>

#include "base/hash.h"

namespace berth::local {
namespace {

constexpr std::string_view kEverywhere[] = {"0.0.0.0:", "[::]:"};

// "10.0.0.0:1" does not mean every address.
bool continues_address(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == ':';
}

// How many characters at that place say "every address", without the colon; 0: none.
std::size_t length_of_everywhere(std::string_view text, std::size_t at) {
  if (at > 0 && continues_address(text[at - 1])) return 0;
  for (const std::string_view everywhere : kEverywhere) {
    if (text.substr(at).starts_with(everywhere)) return everywhere.size() - 1;
  }
  return 0;
}

}  // namespace

// 127.0.0.0/16 is left to others: 127.0.0.1 is in it. Numbers 0 and 255 at the end look odd.
std::string loopback_address(std::string_view pod_uid) {
  const std::uint64_t hash = hash64(pod_uid);
  return fmt::format("127.{}.{}.{}", 1 + (hash >> 32U) % 254, (hash >> 16U) % 256, 1 + hash % 254);
}

std::string with_pod_address(std::string_view text, std::string_view address) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t length = length_of_everywhere(text, i); length > 0) {
      result += address;
      i += length;
      continue;
    }
    result += text[i++];
  }
  return result;
}

}  // namespace berth::local
