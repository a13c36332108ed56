// A cache that follows a server through every fault, and the mistakes that must be noticed.

#pragma once

#include "client/testing/model_server_service.h"
#include "sim/run.h"

namespace berth::suites {

struct FollowingMistakes {
  client::testing::ServerBug server = client::testing::ServerBug::None;
  bool client_reads_certificates_once = false;
};

// Without a mistake it must pass; each of them must be found to be wrong.
sim::Suite following_suite(FollowingMistakes mistakes);

}  // namespace berth::suites
