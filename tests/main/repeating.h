// Behind a test that failed: its name once more, and what to type to repeat it alone. The gate's
// summary collects these lines.

#pragma once

namespace berth::testing {

// For all tests that follow.
void tell_how_to_repeat();

}  // namespace berth::testing
