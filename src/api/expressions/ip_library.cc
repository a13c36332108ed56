#include <string>

#include <fmt/format.h>

#include "api/expressions/ip_address.h"
#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "api/expressions/network_values.h"
#include "base/strings.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Value;

Value parse(Call& call) {
  const auto address = read_ip(call[0].text());
  if (!address.ok()) return call.context.error(address.error().message);
  return make_ip(call.context, *address);
}

Value is_ip(Call& call) { return Value::boolean(read_ip(call[0].text()).ok()); }

Value is_canonical(Call& call) {
  const auto address = read_ip(call[0].text());
  if (!address.ok()) return call.context.error(address.error().message);
  return Value::boolean(address->to_string() == call[0].text());
}

Value family(Call& call) { return Value::integer(ip_in(call[0]).is_v4() ? 4 : 6); }
Value to_string(Call& call) { return call.context.string(ip_in(call[0]).to_string()); }

template <bool (IpAddress::*property)() const>
Value has(Call& call) {
  return Value::boolean((ip_in(call[0]).*property)());
}

}  // namespace

void add_ip_library(cel::Environment& environment) {
  constexpr auto kGlobal = cel::CallStyle::Global;
  constexpr auto kMember = cel::CallStyle::Member;
  using enum cel::TypeKind;
  const cel::Type ip = ip_type();
  environment.add_type_name(std::string(ip.runtime_name()), ip);
  add_entries(
      environment,
      {{"ip", "string_to_ip", kGlobal, {String}, ip, parse},
       {"isIP", "is_ip", kGlobal, {String}, Bool, is_ip},
       {"ip.isCanonical", "ip_is_canonical", kGlobal, {String}, Bool, is_canonical},
       {"family", "ip_family", kMember, {ip}, Int, family},
       {"isUnspecified", "ip_is_unspecified", kMember, {ip}, Bool, has<&IpAddress::is_unspecified>},
       {"isLoopback", "ip_is_loopback", kMember, {ip}, Bool, has<&IpAddress::is_loopback>},
       {"isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        kMember,
        {ip},
        Bool,
        has<&IpAddress::is_link_local_multicast>},
       {"isLinkLocalUnicast",
        "ip_is_link_local_unicast",
        kMember,
        {ip},
        Bool,
        has<&IpAddress::is_link_local_unicast>},
       {"isGlobalUnicast",
        "ip_is_global_unicast",
        kMember,
        {ip},
        Bool,
        has<&IpAddress::is_global_unicast>},
       {"string", "ip_to_string", kGlobal, {ip}, String, to_string}});
}

}  // namespace berth::api
