#include "scores/generators/address_rules.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::scores {
namespace {

struct Range {
  std::string_view network;
  std::string_view what;
};

// Nothing that a latency can be measured to, or nothing that anybody but this machine may talk to.
constexpr Range kNever[] = {
    {"169.254.0.0/16", "a link-local address, where clouds keep a machine's credentials"},
    {"fe80::/10", "a link-local address"},
    {"100.100.100.200/32", "a cloud's metadata service"},
    {"168.63.129.16/32", "a cloud's metadata service"},
    {"192.0.0.192/32", "a cloud's metadata service"},
    {"fd00:ec2::254/128", "a cloud's metadata service"},
    {"fd20:ce::254/128", "a cloud's metadata service"},
    {"0.0.0.0/8", "no address of a machine"},
    {"::/128", "no address of a machine"},
    {"224.0.0.0/4", "no address of a single machine"},
    {"240.0.0.0/4", "no address of a single machine"},
    {"ff00::/8", "no address of a single machine"},
    {"2002::/16", "a tunnel to an IPv4 address; name that address itself"},
    {"2001::/32", "a tunnel to an IPv4 address; name that address itself"},
};

constexpr Range kLoopback[] = {
    {"127.0.0.0/8", "the agent's own machine"},
    {"::1/128", "the agent's own machine"},
};

constexpr Range kPrivate[] = {
    {"10.0.0.0/8", "in a private range, which may be the cluster's own"},
    {"172.16.0.0/12", "in a private range, which may be the cluster's own"},
    {"192.168.0.0/16", "in a private range, which may be the cluster's own"},
    {"100.64.0.0/10", "in a private range, which may be the cluster's own"},
    {"fc00::/7", "in a private range, which may be the cluster's own"},
};

// The ways in which an IPv6 address can stand for an IPv4 one: mapped, compatible, NAT64.
constexpr std::string_view kWrappings[] = {"::ffff:", "::", "64:ff9b::"};

bool covers(const api::IpNetwork& network, const api::IpAddress& address) {
  if (network.contains(address)) return true;
  if (!network.address.is_v4() || address.is_v4()) return false;
  return std::ranges::any_of(kWrappings, [&](std::string_view wrapping) {
    const auto wrapped = api::IpNetwork::parse(
        fmt::format("{}{}/{}", wrapping, network.address.to_string(), 96 + network.length));
    // A network of everything, wrapped, would be everything that is wrapped: the unspecified and
    // the loopback address of IPv6 are not.
    return wrapped && network.length > 0 && wrapped->contains(address) && !address.is_loopback() &&
           !address.is_unspecified();
  });
}

template <typename Ranges>
const Range* find_range(const Ranges& ranges, const api::IpAddress& address) {
  const auto found = std::ranges::find_if(ranges, [&address](const Range& range) {
    const auto network = api::IpNetwork::parse(range.network);
    return network && covers(*network, address);
  });
  return found == std::end(ranges) ? nullptr : &*found;
}

bool covered_by(const std::vector<api::IpNetwork>& networks, const api::IpAddress& address) {
  return std::ranges::any_of(
      networks, [&](const api::IpNetwork& network) { return covers(network, address); });
}

std::unexpected<Error> not_allowed(const api::IpAddress& address, std::string_view what) {
  return failure(Code::Forbidden,
                 fmt::format("{0} is {1}; whoever runs the agent can allow it with "
                             "--probe-allow={0}",
                             address.to_string(), what));
}

}  // namespace

Status check_address(const api::IpAddress& address, const AddressRules& rules) {
  if (const Range* range = find_range(kNever, address)) {
    return failure(Code::Forbidden, fmt::format("{} is {}; it is never measured, name another one",
                                                address.to_string(), range->what));
  }
  if (covered_by(rules.allowed, address)) return {};
  if (const Range* range = find_range(kLoopback, address)) {
    return not_allowed(address, range->what);
  }
  if (rules.own) {
    if (covered_by(*rules.own, address)) return not_allowed(address, "in the cluster's own range");
    return {};
  }
  if (const Range* range = find_range(kPrivate, address)) return not_allowed(address, range->what);
  return {};
}

Result<std::vector<api::IpNetwork>> read_networks(const std::vector<std::string>& texts) {
  std::vector<api::IpNetwork> networks;
  for (const std::string& text : texts) {
    if (const auto network = api::IpNetwork::parse(text)) {
      networks.push_back(*network);
    } else if (const auto address = api::IpAddress::parse(text)) {
      networks.push_back({.address = *address, .length = address->bit_count()});
    } else {
      return failure(Code::Invalid, fmt::format("{} is neither an address nor a range such as "
                                                "10.0.0.0/8",
                                                quote(text)));
    }
  }
  return networks;
}

}  // namespace berth::scores
