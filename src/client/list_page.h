// One page of a list, as a server answers it.

#pragma once

#include <vector>

#include "base/error.h"
#include "client/projection.h"
#include "client/reflector.h"
#include "json/value.h"

namespace berth::client {

struct ReadPage {
  ListPage page = {};
  std::vector<Error> skipped = {};  // Why items are none that a cache can hold.
};

ReadPage read_page(json::Value answer, const Projection& projection);

}  // namespace berth::client
