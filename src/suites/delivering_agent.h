// The agent of ManifestWorks on a machine of its own, between the servers on the machines "hub" and
// "cluster".

#pragma once

#include <memory>

#include "base/time.h"
#include "env/env.h"

namespace berth::suites {

struct WorkAgentWish {
  Duration eviction_grace;
  bool is_elected = false;  // It takes turns with others by a Lease.
};

std::shared_ptr<void> run_work_agent(const env::Env& env, const WorkAgentWish& wish);

}  // namespace berth::suites
