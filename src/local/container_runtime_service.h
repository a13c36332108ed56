// What runs the containers of a simulated node. A kubelet asks each runtime in turn whether it
// wants a container.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "local/container_spec.h"

namespace berth::local {

// Destroying it ends it at once, and nobody is told.
class RunningContainer {
 public:
  virtual ~RunningContainer() = default;

  // It is told, and ended after the grace at the latest.
  virtual void stop(Duration grace) = 0;

  // Files that it has mounted are other ones now.
  virtual void refresh(const ContainerSpec& spec) = 0;
};

using ContainerEnded = std::move_only_function<void(int exit_code)>;

class ContainerRuntime {
 public:
  virtual ~ContainerRuntime() = default;

  virtual bool runs(const json::Value& pod, const json::Value& container) const = 0;

  // Where a pod of its containers can be reached; empty: nowhere.
  virtual std::string address_of(const json::Value& pod) const = 0;

  // The callback runs at most once, later, on the loop.
  virtual Result<std::unique_ptr<RunningContainer>> start(const json::Value& pod,
                                                          const ContainerSpec& spec,
                                                          ContainerEnded ended) = 0;
};

}  // namespace berth::local
