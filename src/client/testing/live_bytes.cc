// Tested by client/hostile_server_test.cc.

#include "client/testing/live_bytes.h"

#include <malloc.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BERTH_SANITIZED 1
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace berth::client::testing {

std::size_t live_bytes() {
#ifdef BERTH_SANITIZED
  return __sanitizer_get_current_allocated_bytes();
#else
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

}  // namespace berth::client::testing
