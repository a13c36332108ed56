// IP addresses and networks as CEL values.

#pragma once

#include <string_view>

#include "api/expressions/ip_address.h"
#include "base/result.h"
#include "cel/context.h"
#include "cel/type.h"
#include "cel/value.h"

namespace berth::api {

cel::Type ip_type();
cel::Type cidr_type();

// With the library's error messages. Addresses that map IPv4 into IPv6 are refused.
Result<IpAddress> read_ip(std::string_view text);
Result<IpNetwork> read_cidr(std::string_view text);

cel::Value make_ip(cel::Context& context, const IpAddress& address);
cel::Value make_cidr(cel::Context& context, const IpNetwork& network);

// The value must be of that type.
const IpAddress& ip_in(const cel::Value& value);
const IpNetwork& cidr_in(const cel::Value& value);

}  // namespace berth::api
