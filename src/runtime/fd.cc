#include "runtime/fd.h"

#include <unistd.h>

namespace berth::runtime {

Fd::~Fd() {
  // Linux closes the descriptor whatever close() returns; repeating it could close another's.
  if (valid()) ::close(number_);
}

}  // namespace berth::runtime
