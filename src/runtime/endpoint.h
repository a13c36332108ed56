// Addresses as the system's calls take them.

#pragma once

#include <sys/socket.h>

#include "base/result.h"
#include "env/network.h"

namespace berth::runtime {

struct Endpoint {
  sockaddr_storage storage = {};
  socklen_t length = 0;

  const sockaddr* get() const;
  env::Address address() const;  // Numeric.
};

// Asks nobody: a name is an error.
Result<Endpoint> numeric_endpoint(const env::Address& address);

// The address to listen on: numeric, a name that the system knows at once, or empty for all.
Result<Endpoint> local_endpoint(const env::Address& address);

}  // namespace berth::runtime
