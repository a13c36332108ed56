// Everything one loop of one process can reach of the outer world.

#pragma once

#include "env/clock.h"
#include "env/disk.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/metrics.h"
#include "env/network.h"
#include "env/process.h"
#include "env/random.h"
#include "env/workers.h"

namespace berth::env {

// Borrowed, for wiring: both worlds hand out one per loop. A service's constructor names the few
// that it needs instead of taking all.
struct Env {
  Clock& clock;
  Loop& loop;
  Network& network;
  Disk& disk;
  Entropy& entropy;
  Log& log;
  Metrics& metrics;
  Workers& workers;
  Processes& processes;
};

}  // namespace berth::env
