// A cache that follows a server through every fault, and the mistakes of servers that it must
// notice.

#pragma once

#include "client/testing/model_server_service.h"
#include "sim/run.h"

namespace berth::suites {

// ServerBug::None must pass; every other one must be found to be wrong.
sim::Suite following_suite(client::testing::ServerBug bug);

}  // namespace berth::suites
