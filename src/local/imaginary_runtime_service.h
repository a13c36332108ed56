// Containers that only pretend: they run for as long as the pod says, and use nothing.

#pragma once

#include <memory>
#include <string>

#include "env/env.h"
#include "local/container_runtime_service.h"

namespace berth::local {

// Annotations of a pod: how long its containers run, and what they end with.
inline constexpr std::string_view kRunsFor = "local.berth.dev/runs-for";
inline constexpr std::string_view kExitCode = "local.berth.dev/exit-code";

class ImaginaryRuntime final : public ContainerRuntime {
 public:
  explicit ImaginaryRuntime(const env::Env& env) : env_(env) {}

  bool runs(const json::Value&, const json::Value&) const override { return true; }
  std::string address_of(const json::Value&) const override { return {}; }

  // Without the annotation a pod that is always restarted runs for ever, another one for ten
  // seconds. An annotation that cannot be read is an error.
  Result<std::unique_ptr<RunningContainer>> start(const json::Value& pod, const ContainerSpec& spec,
                                                  ContainerEnded ended) override;

 private:
  env::Env env_;
};

}  // namespace berth::local
