#include "runtime/signals.h"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/check.h"

namespace berth::runtime {
namespace {

sigset_t handled_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, number);
  return set;
}

}  // namespace

Signals::Signals() {
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t set = handled_signals();
  CHECK(::pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  signals_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC));
  stop_ = Fd(::eventfd(0, EFD_CLOEXEC));
  CHECK(signals_.valid() && stop_.valid());
}

Signals::~Signals() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.number(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
}

void Signals::handle(env::Loop& loop, SignalHandlers handlers) {
  CHECK(!thread_.joinable());
  thread_ = std::jthread([this, &loop, handlers = std::move(handlers)] { wait(loop, handlers); });
}

void Signals::wait(env::Loop& loop, const SignalHandlers& handlers) {
  bool draining = false;
  for (;;) {
    pollfd sources[] = {{.fd = signals_.number(), .events = POLLIN, .revents = 0},
                        {.fd = stop_.number(), .events = POLLIN, .revents = 0}};
    if (::poll(sources, 2, -1) < 0 && errno == EINTR) continue;
    if (sources[1].revents != 0) return;
    signalfd_siginfo signal;
    if (::read(signals_.number(), &signal, sizeof signal) != sizeof signal) continue;
    if (signal.ssi_signo == SIGHUP) {
      if (handlers.reload) loop.post(handlers.reload);
      continue;
    }
    // Not exit(): destructors would wait for what hangs.
    if (draining) ::_exit(1);
    draining = true;
    if (handlers.drain) loop.post(handlers.drain);
  }
}

}  // namespace berth::runtime
