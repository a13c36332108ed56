// Containers of Berth's own image as child processes: with their arguments, variables and mounted
// files, and with the identity of their pod's service account.

#pragma once

#include <string>

#include "client/api_service.h"
#include "env/env.h"
#include "local/container_runtime_service.h"

namespace berth::local {

struct ProcessRuntimeOptions {
  std::string image;    // Without its tag: images of this name are ours, whatever their version.
  std::string program;  // What runs instead of them.
  std::string folder;   // Where each container gets a folder of its own, with its output in it.
};

// A process finds its cluster in $KUBECONFIG: a file with a token of its pod's service account,
// which is renewed while it runs. Its output is in FOLDER/POD-UID/CONTAINER/log. Where it would
// listen on every address it listens on its pod's own.
class ProcessRuntime final : public ContainerRuntime {
 public:
  // The Api is the cluster's, with the right to make tokens; it outlives the runtime.
  ProcessRuntime(const env::Env& env, client::Api& api, ProcessRuntimeOptions options)
      : env_(env), api_(api), options_(std::move(options)) {}

  bool runs(const json::Value& pod, const json::Value& container) const override;
  std::string address_of(const json::Value& pod) const override;
  Result<std::unique_ptr<RunningContainer>> start(const json::Value& pod, const ContainerSpec& spec,
                                                  ContainerEnded ended) override;

 private:
  env::Env env_;
  client::Api& api_;
  ProcessRuntimeOptions options_;
};

}  // namespace berth::local
