#include <string>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "api/expressions/network_values.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Value;

Value parse_error(Call& call, const Error& error) {
  return call.context.error(
      {"network address parse error during conversion from string: ", error.message});
}

Value parse(Call& call) {
  const auto network = read_cidr(call[0].text());
  if (!network.ok()) return parse_error(call, network.error());
  return make_cidr(call.context, *network);
}

Value is_cidr(Call& call) { return Value::boolean(read_cidr(call[0].text()).ok()); }

Value contains_ip(Call& call) { return Value::boolean(cidr_in(call[0]).contains(ip_in(call[1]))); }
Value contains_ip_text(Call& call) {
  const auto address = read_ip(call[1].text());
  if (!address.ok()) return cel::Context::no_such_overload();
  return Value::boolean(cidr_in(call[0]).contains(*address));
}
Value contains_cidr(Call& call) {
  return Value::boolean(cidr_in(call[0]).contains(cidr_in(call[1])));
}
Value contains_cidr_text(Call& call) {
  const auto network = read_cidr(call[1].text());
  if (!network.ok()) return parse_error(call, network.error());
  return Value::boolean(cidr_in(call[0]).contains(*network));
}
Value ip(Call& call) { return make_ip(call.context, cidr_in(call[0]).address); }
Value masked(Call& call) { return make_cidr(call.context, cidr_in(call[0]).masked()); }
Value prefix_length(Call& call) { return Value::integer(cidr_in(call[0]).length); }
Value to_string(Call& call) { return call.context.string(cidr_in(call[0]).to_string()); }

}  // namespace

void add_cidr_library(cel::Environment& environment) {
  constexpr auto kGlobal = cel::CallStyle::Global;
  constexpr auto kMember = cel::CallStyle::Member;
  using enum cel::TypeKind;
  const cel::Type cidr = cidr_type();
  environment.add_type_name(std::string(cidr.runtime_name()), cidr);
  add_entries(
      environment,
      {{"cidr", "string_to_cidr", kGlobal, {String}, cidr, parse},
       {"isCIDR", "is_cidr", kGlobal, {String}, Bool, is_cidr},
       {"containsIP", "cidr_contains_ip_string", kMember, {cidr, String}, Bool, contains_ip_text},
       {"containsIP", "cidr_contains_ip_ip", kMember, {cidr, ip_type()}, Bool, contains_ip},
       {"containsCIDR",
        "cidr_contains_cidr_string",
        kMember,
        {cidr, String},
        Bool,
        contains_cidr_text},
       {"containsCIDR", "cidr_contains_cidr", kMember, {cidr, cidr}, Bool, contains_cidr},
       {"ip", "cidr_ip", kMember, {cidr}, ip_type(), ip},
       {"masked", "cidr_masked", kMember, {cidr}, cidr, masked},
       {"prefixLength", "cidr_prefix_length", kMember, {cidr}, Int, prefix_length},
       {"string", "cidr_to_string", kGlobal, {cidr}, String, to_string}});
}

}  // namespace berth::api
