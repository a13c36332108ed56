#include "api/expressions/ip_address.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {
namespace {

// A decimal number from 0 to `max` without sign or leading zeros.
std::optional<int> small_number(std::string_view text, int max) {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value <= max ? std::optional(value) : std::nullopt;
}

std::optional<std::uint16_t> hex_group(std::string_view text) {
  if (text.empty() || text.size() > 4) return std::nullopt;
  std::uint16_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  return text.find(':') == std::string_view::npos ? parse_v4(text) : parse_v6(text);
}

std::optional<IpAddress> IpAddress::parse_v4(std::string_view text) {
  const auto parts = split(text, '.');
  if (parts.size() != 4) return std::nullopt;
  IpAddress address;
  address.is_v4_ = true;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto number = small_number(parts[i], 255);
    if (!number) return std::nullopt;
    address.bytes_[i] = static_cast<std::uint8_t>(*number);
  }
  return address;
}

std::optional<IpAddress> IpAddress::parse_v6(std::string_view text) {
  std::vector<std::uint16_t> groups;
  std::optional<std::size_t> gap;  // Before which group "::" stands.
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
  }
  while (!text.empty()) {
    if (groups.size() >= 8) return std::nullopt;
    const std::string_view part = text.substr(0, text.find(':'));
    text.remove_prefix(part.size());
    if (part.find('.') != std::string_view::npos) {
      const auto v4 = parse_v4(part);
      if (!v4 || !text.empty() || groups.size() > 6) return std::nullopt;
      groups.push_back(v4->group(0));
      groups.push_back(v4->group(1));
      break;
    }
    const auto number = hex_group(part);
    if (!number) return std::nullopt;
    groups.push_back(*number);
    if (text.starts_with("::")) {
      if (gap) return std::nullopt;
      gap = groups.size();
      text.remove_prefix(2);
    } else if (text.starts_with(':')) {
      text.remove_prefix(1);
      if (text.empty()) return std::nullopt;
    }
  }
  if (gap ? groups.size() >= 8 : groups.size() != 8) return std::nullopt;
  if (gap) groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(*gap), 8 - groups.size(), 0);
  IpAddress address;
  for (std::size_t i = 0; i < 8; ++i) {
    address.bytes_[2 * i] = static_cast<std::uint8_t>(groups[i] >> 8);
    address.bytes_[2 * i + 1] = static_cast<std::uint8_t>(groups[i] & 0xFF);
  }
  return address;
}

std::uint16_t IpAddress::group(std::size_t index) const {
  return static_cast<std::uint16_t>(bytes_[2 * index] << 8 | bytes_[2 * index + 1]);
}

bool IpAddress::starts_with(std::initializer_list<std::uint8_t> bytes) const {
  return std::equal(bytes.begin(), bytes.end(), bytes_.begin());
}

bool IpAddress::is_v4_in_v6() const {
  return !is_v4_ && starts_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF});
}

bool IpAddress::is_unspecified() const {
  return std::ranges::all_of(bytes_, [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::is_loopback() const {
  if (is_v4_) return bytes_[0] == 127;
  return bytes_[15] == 1 && std::ranges::count(bytes_, 0) == 15;
}

bool IpAddress::is_multicast() const {
  return is_v4_ ? (bytes_[0] & 0xF0) == 0xE0 : bytes_[0] == 0xFF;
}

bool IpAddress::is_link_local_multicast() const {
  if (is_v4_) return starts_with({224, 0, 0});
  return bytes_[0] == 0xFF && (bytes_[1] & 0x0F) == 0x02;
}

bool IpAddress::is_link_local_unicast() const {
  if (is_v4_) return starts_with({169, 254});
  return bytes_[0] == 0xFE && (bytes_[1] & 0xC0) == 0x80;
}

bool IpAddress::is_global_unicast() const {
  if (is_v4_ && starts_with({255, 255, 255, 255})) return false;
  return !is_unspecified() && !is_loopback() && !is_multicast() && !is_link_local_unicast();
}

IpAddress IpAddress::masked(int length) const {
  IpAddress result = *this;
  for (int bit = length; bit < bit_count(); ++bit) {
    result.bytes_[static_cast<std::size_t>(bit / 8)] &=
        static_cast<std::uint8_t>(~(0x80 >> (bit % 8)));
  }
  return result;
}

std::string IpAddress::to_string() const {
  if (is_v4_) return fmt::format("{}.{}.{}.{}", bytes_[0], bytes_[1], bytes_[2], bytes_[3]);
  std::size_t best_start = 8;
  std::size_t best_length = 1;  // A single zero is not shortened.
  for (std::size_t start = 0; start < 8; ++start) {
    std::size_t length = 0;
    while (start + length < 8 && group(start + length) == 0) ++length;
    if (length > best_length) {
      best_start = start;
      best_length = length;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == best_start) {
      text += "::";
      i += best_length - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    text += fmt::format("{:x}", group(i));
  }
  return text;
}

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  const auto length = small_number(text.substr(slash + 1), address->bit_count());
  if (!length) return std::nullopt;
  return IpNetwork{.address = *address, .length = *length};
}

bool IpNetwork::contains(const IpAddress& other) const {
  return address.is_v4() == other.is_v4() && other.masked(length) == address.masked(length);
}

bool IpNetwork::contains(const IpNetwork& other) const {
  return length <= other.length && contains(other.address);
}

std::string IpNetwork::to_string() const {
  return address.to_string() + "/" + std::to_string(length);
}

}  // namespace berth::api
