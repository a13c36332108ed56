// Renewal: has credentials replaced long before they end, for as long as the process runs.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/scope.h"

namespace berth::upkeep {

enum class Renewed : bool { No, Yes };

struct Renewable {
  std::string name;  // For the log.

  // From one renewal to its end: half of it is the time for the next one. Zero: it is somebody
  // else's and may change at any moment, so every look asks for it.
  Duration life;

  // On the loop. When it fails, it is tried again at every look.
  std::function<Result<Renewed>(Time now)> renew;
};

// Lives on one loop. Looks at the wall clock every now and then instead of sleeping half a year: a
// machine that slept, or whose clock was set, is noticed.
class Renewal {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Log& log;
  };

  // All of it is fresh as of now.
  Renewal(World world, std::vector<Renewable> items);

  // What the timer does, at once: for somebody who knows that something changed.
  void look();

 private:
  struct Kept {
    Renewable item;
    Time since;
  };

  void look_at(Kept& kept, Time now);

  World world_;
  std::vector<Kept> kept_;
  env::Timer timer_ = {};
  env::Scope scope_;
};

inline constexpr Duration kRenewalLook = std::chrono::minutes(10);

}  // namespace berth::upkeep
