// Starts a program with its stdout in a pipe.

#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "env/process.h"
#include "runtime/fd.h"

namespace berth::runtime {

struct Spawned {
  pid_t pid;
  Fd exited;  // A pidfd: readable when the child has ended.
  Fd output;  // Non-blocking.
};

// Unless it shares our terminal, the child leads a process group of its own, so that its children
// can be killed with it.
Result<Spawned> spawn(const env::Command& command);

}  // namespace berth::runtime
