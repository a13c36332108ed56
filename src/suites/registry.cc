#include "suites/registry.h"

#include "suites/append_workload.h"
#include "suites/delivering.h"
#include "suites/following.h"
#include "suites/hosting.h"
#include "suites/installing.h"
#include "suites/joining.h"
#include "suites/placing.h"
#include "suites/rebuilding.h"
#include "suites/scoring.h"
#include "suites/store_workload.h"
#include "suites/upkeeping.h"

namespace berth::suites {

std::vector<sim::Suite> all() {
  return {
      append_suite(Mistake::None),
      delivering_suite(DeliveringMistake::None),
      following_suite({}),
      hosting_suite(HostingMistake::None),
      installing_suite(InstallingMistake::None),
      joining_suite(JoiningMistake::None),
      placing_suite(PlacingMistake::None),
      rebuilding_suite(RebuildingMistake::None),
      scoring_suite(ScoringMistake::None),
      store_suite(StoreMistake::None),
      upkeeping_suite(UpkeepingMistake::None),
  };
}

}  // namespace berth::suites
