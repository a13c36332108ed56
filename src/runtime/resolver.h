// Names to addresses, without blocking the loop.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "base/result.h"
#include "env/network.h"
#include "runtime/io_loop.h"

namespace berth::runtime {

// One address as the system's calls take it.
struct Endpoint {
  sockaddr_storage storage = {};
  socklen_t length = 0;

  const sockaddr* get() const;
  env::Address address() const;  // Numeric.
};

using Resolved = std::move_only_function<void(Result<std::vector<Endpoint>>)>;

// The callback runs once, later, on the loop; at least one endpoint, or an error. Numeric addresses
// need no thread; names are looked up by the system's resolver on a thread of the loop's own.
void resolve(IoLoop& loop, const env::Address& address, Resolved done);

// The address to listen on: numeric, a name that the system knows at once, or empty for all.
Result<Endpoint> resolve_local(const env::Address& address);

}  // namespace berth::runtime
