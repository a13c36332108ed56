// IP addresses and networks, with the textual forms that Go's net/netip reads and writes.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::api {

class IpAddress {
 public:
  // IPv4 in four decimal numbers without leading zeros; IPv6 in every RFC 4291 form. No zones.
  static std::optional<IpAddress> parse(std::string_view text);

  bool is_v4() const { return is_v4_; }
  bool is_v4_in_v6() const;  // ::ffff:1.2.3.4
  bool is_unspecified() const;
  bool is_loopback() const;
  bool is_multicast() const;
  bool is_link_local_multicast() const;
  bool is_link_local_unicast() const;
  bool is_global_unicast() const;

  int bit_count() const { return is_v4_ ? 32 : 128; }
  // With all bits but the first `length` cleared.
  IpAddress masked(int length) const;

  // RFC 5952: lower case, the longest run of zeros shortened.
  std::string to_string() const;

  bool operator==(const IpAddress&) const = default;

 private:
  static std::optional<IpAddress> parse_v4(std::string_view text);
  static std::optional<IpAddress> parse_v6(std::string_view text);
  bool starts_with(std::initializer_list<std::uint8_t> bytes) const;
  std::uint16_t group(std::size_t index) const;

  bool is_v4_ = false;
  std::array<std::uint8_t, 16> bytes_ = {};  // An IPv4 address uses the first four.
};

struct IpNetwork {
  IpAddress address;  // Host bits may be set.
  int length = 0;

  // "10.0.0.0/8"
  static std::optional<IpNetwork> parse(std::string_view text);

  bool contains(const IpAddress& other) const;
  // Whether all of the other network lies in this one.
  bool contains(const IpNetwork& other) const;
  IpNetwork masked() const { return {.address = address.masked(length), .length = length}; }
  std::string to_string() const;

  bool operator==(const IpNetwork&) const = default;
};

}  // namespace berth::api
