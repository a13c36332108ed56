#include "suites/registry.h"

#include "suites/append_workload.h"
#include "suites/following.h"

namespace berth::suites {

std::vector<sim::Suite> all() {
  return {
      append_suite(Mistake::None),
      following_suite(client::testing::ServerBug::None),
  };
}

}  // namespace berth::suites
