// What a kube-controller-manager does for a cluster, on a real API server under test that has none:
// collects garbage, empties namespaces, makes service accounts, and signs approved certificate
// requests with the key of the server's own authority. Where there is a real one, it is that.
// Berth's hub does it by itself.

#pragma once

#include <memory>

#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/server.h"
#include "pki/authority.h"
#include "upkeep/upkeep_service.h"

namespace berth::kube {

// The authority whose clients the server believes.
pki::Authority authority_of(const Server& server);

class Caretaker {
 public:
  explicit Caretaker(const Server& server);
  ~Caretaker();

 private:
  pki::Authority authority_;
  BlockingApi api_;
  std::unique_ptr<upkeep::Upkeep> upkeep_;
  Child manager_;
};

}  // namespace berth::kube
