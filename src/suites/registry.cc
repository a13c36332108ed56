#include "suites/registry.h"

#include "suites/append_workload.h"
#include "suites/following.h"
#include "suites/placing.h"

namespace berth::suites {

std::vector<sim::Suite> all() {
  return {
      append_suite(Mistake::None),
      following_suite(client::testing::ServerBug::None),
      placing_suite(PlacingMistake::None),
  };
}

}  // namespace berth::suites
