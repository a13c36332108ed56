// Reads an object, changes it and writes it back, once more when somebody else was faster. For
// whoever has one thing to do; a controller rather waits for its cache and decides anew.

#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "client/api_service.h"
#include "client/options.h"
#include "client/resource.h"
#include "json/value.h"

namespace berth::client {

// The object as it should be, with the resourceVersion that was read; nullopt if it is so already.
using ChangeFunction = std::function<Result<std::optional<json::Value>>(const json::Value& object)>;

struct Edit {
  ResourcePath path;      // Of the write. With a subresource, the object itself is what is read.
  ChangeFunction change;  // Called with each version that is read, once more after every conflict.
  WriteOptions write = {};
  std::optional<CallOptions> call = std::nullopt;  // Of each request; absent: as the Api's.
};

// `done` hears the object as it is in the end, or the last error: after a few conflicts that one.
void edit(Api& api, Edit edit, Done done);

}  // namespace berth::client
