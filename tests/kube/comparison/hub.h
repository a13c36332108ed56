// The hub of a comparison: writes edits, knows the objects that are there, and finds out when the
// reference's controller has nothing left to do.

#pragma once

#include <cstdint>

#include "base/result.h"
#include "kube/blocking_api.h"
#include "kube/comparison/objects.h"
#include "kube/server.h"

namespace berth::kube {

class Hub {
 public:
  // Makes the namespaces that the generator draws from.
  static Result<std::unique_ptr<Hub>> open(const Server& server);

  const Objects& objects() const { return objects_; }

  Status apply(const Edit& edit);
  Status clear();  // Removes what edits have made.

  // Reads again what the controller writes: placements and their decisions.
  Status refresh();

  // Makes the controller decide on the placement again and waits until it has. It deletes what
  // carries a placement's label and is no decision of it; that is how it can be seen. A disabled
  // placement is left alone, as the controller does.
  Status poke(const ObjectName& placement);

 private:
  explicit Hub(const Server& server);

  // Waits until the controller has worked off what was in its queue. Its own writes queue the
  // same placement again behind that, so it is asked several times.
  Status settle();
  Status make_namespaces();

  BlockingApi api_;
  ServerKind kind_;
  Objects objects_;
  std::int64_t pokes_ = 0;
};

}  // namespace berth::kube
