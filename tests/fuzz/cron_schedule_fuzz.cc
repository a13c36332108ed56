#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/validation/cron_schedule.h"
#include "base/check.h"

// Any text is a schedule or is told why it is none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto problem = berth::apiserver::schedule_problem(text);
  CHECK(!problem || !problem->empty());
  return 0;
}
