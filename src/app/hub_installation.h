// Brings into API servers what they have from their first moment.

#pragma once

#include <string>
#include <vector>

#include "apiserver/api_service.h"
#include "base/result.h"
#include "env/loop.h"

namespace berth::app {

struct Installation {
  apiserver::ApiServer* server;
  std::vector<apiserver::ApiRequest> requests;  // Each needs those before it.
};

// All servers at once; waits until that is done, so it is not for the loop, on which all the
// servers live. The error names what could not be installed.
Status install(env::Loop& loop, std::vector<Installation> installations);

}  // namespace berth::app
