// Tested by placement/placement_controller_test.cc.
#include "client/informers_service.h"

namespace berth::client {

InformerService& Informers::of(const Gvr& resource) {
  std::unique_ptr<InformerService>& informer = informers_[resource];
  if (!informer) {
    informer = std::make_unique<InformerService>(
        env_, api_, InformerSpec{.collection = {.resource = resource}});
    informer->start();
  }
  return *informer;
}

}  // namespace berth::client
