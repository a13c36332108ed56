// Starts a program with its stdout, and its stderr if that is wanted, in a pipe or a file.

#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "env/process.h"
#include "runtime/fd.h"

namespace berth::runtime {

struct Spawned {
  pid_t pid;
  Fd exited;  // A pidfd: readable when the child has ended.
  Fd output;  // Non-blocking; not valid if it goes to a file.
  Fd errors;  // Non-blocking; valid for ChildErrors::Kept only.
};

// Unless it shares our terminal, the child leads a process group of its own, so that its children
// can be killed with it.
Result<Spawned> spawn(const env::Command& command);

}  // namespace berth::runtime
