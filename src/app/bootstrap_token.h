// The token with which clusters ask a hub to let them in.

#pragma once

#include <string>

#include "app/calls.h"
#include "base/result.h"
#include "base/time.h"

namespace berth::app {

struct BootstrapToken {
  std::string text;
  std::string expires;
};

// Of an account that may ask to join and nothing else; it is made if it is not there.
Result<BootstrapToken> make_bootstrap_token(Calls& hub, Duration duration);

}  // namespace berth::app
