#include "runtime/system.h"

#include <algorithm>
#include <csignal>
#include <latch>
#include <thread>
#include <utility>

#include <sys/resource.h>

#include "base/check.h"
#include "runtime/child_processes.h"
#include "runtime/io_loop.h"
#include "runtime/posix_disk.h"
#include "runtime/prometheus_metrics.h"
#include "runtime/socket_network.h"
#include "runtime/system_clock.h"
#include "runtime/thread_workers.h"

namespace berth::runtime {
namespace {

std::size_t cores() { return std::max(std::thread::hardware_concurrency(), 1u); }

// What every loop shares.
struct Shared {
  explicit Shared(const SystemOptions& options)
      : log(clock, options.log), workers(options.workers == 0 ? cores() - 1 : options.workers) {}

  SystemClock clock;
  PosixDisk disk;
  SystemEntropy entropy;
  LineLog log;
  PrometheusMetrics metrics;
  ThreadWorkers workers;
};

struct LoopParts {
  explicit LoopParts(Shared& shared)
      : loop(shared.clock),
        network(loop, shared.clock, shared.log),
        processes(loop, shared.clock),
        env{shared.clock, loop,           network,        shared.disk, shared.entropy,
            shared.log,   shared.metrics, shared.workers, processes} {}

  IoLoop loop;
  SocketNetwork network;
  ChildProcesses processes;
  env::Env env;
};

}  // namespace

struct System::State {
  explicit State(const SystemOptions& options) : shared(options) {}

  Shared shared;
  std::vector<std::unique_ptr<LoopParts>> loops;
  std::vector<std::jthread> threads;
};

System::System(SystemOptions options) : state_(std::make_unique<State>(options)) {
  ::signal(SIGPIPE, SIG_IGN);  // Whoever reads our output may go away before us.
  const std::size_t count = options.loops == 0 ? cores() : options.loops;
  for (std::size_t i = 0; i < count; ++i) {
    state_->loops.push_back(std::make_unique<LoopParts>(state_->shared));
  }
  for (const auto& parts : state_->loops) {
    state_->threads.emplace_back([&loop = parts->loop] { loop.run(); });
  }
}

System::~System() {
  for (const auto& parts : state_->loops) parts->loop.stop();
  state_->threads.clear();
}

std::size_t System::loops() const { return state_->loops.size(); }

env::Env& System::env(std::size_t loop) {
  CHECK(loop < state_->loops.size());
  return state_->loops[loop]->env;
}

void run_on(env::Loop& loop, env::Task task) {
  // Shared, because wait() may return before count_down() does.
  const auto done = std::make_shared<std::latch>(1);
  loop.post([&task, done] {
    task();
    done->count_down();
  });
  done->wait();
}

std::size_t raise_descriptor_limit() {
  rlimit limit;
  CHECK(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  CHECK(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  return limit.rlim_cur;
}

}  // namespace berth::runtime
