#include "api/expressions/network_values.h"

#include <string>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {
namespace {

constexpr std::string_view kIpName = "net.IP";
constexpr std::string_view kCidrName = "net.CIDR";

class IpValue final : public cel::Opaque {
 public:
  explicit IpValue(const IpAddress& address) : address_(address) {}
  std::string_view type_name() const override { return kIpName; }
  bool equals(const cel::Opaque& other) const override {
    return address_ == static_cast<const IpValue&>(other).address_;
  }
  std::string display() const override { return address_.to_string(); }
  const IpAddress& address() const { return address_; }

 private:
  IpAddress address_;
};

class CidrValue final : public cel::Opaque {
 public:
  explicit CidrValue(const IpNetwork& network) : network_(network) {}
  std::string_view type_name() const override { return kCidrName; }
  bool equals(const cel::Opaque& other) const override {
    return network_ == static_cast<const CidrValue&>(other).network_;
  }
  std::string display() const override { return network_.to_string(); }
  const IpNetwork& network() const { return network_; }

 private:
  IpNetwork network_;
};

}  // namespace

cel::Type ip_type() { return cel::Type::opaque(std::string(kIpName)); }
cel::Type cidr_type() { return cel::Type::opaque(std::string(kCidrName)); }

Result<IpAddress> read_ip(std::string_view text) {
  const std::size_t zone = text.find('%');
  const auto address = IpAddress::parse(text.substr(0, zone));
  const bool has_zone = zone != std::string_view::npos;
  if (!address || (has_zone && (address->is_v4() || zone + 1 == text.size()))) {
    return failure(Code::Invalid,
                   fmt::format("IP Address {} parse error during conversion from string: "
                               "ParseAddr({}): unable to parse IP",
                               quote(text), quote(text)));
  }
  if (has_zone) {
    return failure(Code::Invalid,
                   fmt::format("IP address {} with zone value is not allowed", quote(text)));
  }
  if (address->is_v4_in_v6()) {
    return failure(Code::Invalid,
                   fmt::format("IPv4-mapped IPv6 address {} is not allowed", quote(text)));
  }
  return *address;
}

Result<IpNetwork> read_cidr(std::string_view text) {
  constexpr std::string_view kContext = "network address parse error during conversion from string";
  const auto network = IpNetwork::parse(text);
  if (!network) {
    const bool has_slash = text.find('/') != std::string_view::npos;
    return failure(Code::Invalid,
                   fmt::format("{}: netip.ParsePrefix({}): {}", kContext, quote(text),
                               has_slash ? "unable to parse network" : "no '/'"));
  }
  if (network->address.is_v4_in_v6()) {
    return failure(Code::Invalid,
                   fmt::format("IPv4-mapped IPv6 address {} is not allowed", quote(text)));
  }
  return *network;
}

cel::Value make_ip(cel::Context& context, const IpAddress& address) {
  if (!context.charge(sizeof(IpValue))) return context.cancelled();
  return cel::Value::opaque(*context.arena().make<IpValue>(address));
}

cel::Value make_cidr(cel::Context& context, const IpNetwork& network) {
  if (!context.charge(sizeof(CidrValue))) return context.cancelled();
  return cel::Value::opaque(*context.arena().make<CidrValue>(network));
}

const IpAddress& ip_in(const cel::Value& value) {
  return static_cast<const IpValue&>(value.as_opaque()).address();
}

const IpNetwork& cidr_in(const cel::Value& value) {
  return static_cast<const CidrValue&>(value.as_opaque()).network();
}

}  // namespace berth::api
