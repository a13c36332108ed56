// Tested by placement/placement_controller_test.cc.
#include "client/informers_service.h"

#include <algorithm>

namespace berth::client {

InformerService& Informers::of(const Gvr& resource) {
  std::unique_ptr<InformerService>& informer = informers_[resource];
  if (!informer) {
    const auto special = std::ranges::find(
        special_, resource, [](const InformerSpec& spec) { return spec.collection.resource; });
    informer = std::make_unique<InformerService>(
        env_, api_,
        special == special_.end() ? InformerSpec{.collection = {.resource = resource}} : *special);
    informer->start();
  }
  return *informer;
}

}  // namespace berth::client
