// One pod on a simulated node: its containers, started, restarted with growing pauses, and stopped.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "json/value.h"
#include "local/container_runtime_service.h"
#include "local/pod_status.h"

namespace berth::local {

class PodRun {
 public:
  // Begins at once. `changed` is called, later, on the loop, whenever states() are others. All that
  // is borrowed outlives the run.
  PodRun(const env::Env& env, client::Api& api, std::span<ContainerRuntime* const> runtimes,
         json::Value pod, env::Task changed);

  std::string_view uid() const;
  std::span<const ContainerState> states() const { return states_; }

  // Ends all containers, with the grace that the pod asks for, once.
  void stop();

  // stop() was called and nothing runs any more.
  bool has_stopped() const;

 private:
  void fetch_sources();
  void on_source(const Source& source, Result<json::Value> answer);
  void apply_sources();
  void start(std::size_t index);
  void begin(std::size_t index);
  void refresh(std::size_t index);
  void on_ended(std::size_t index, int exit_code);
  void restart_later(std::size_t index);
  void wait(std::size_t index, std::string reason, std::string message);
  void tell();
  const json::Value& container(std::size_t index) const;
  Result<ContainerSpec> spec_of(std::size_t index) const;

  env::Env env_;
  client::Api& api_;
  std::span<ContainerRuntime* const> runtimes_;
  json::Value pod_;
  env::Task changed_;
  std::vector<ContainerState> states_;
  std::vector<std::unique_ptr<RunningContainer>> running_;  // Null: it does not.
  std::vector<ContainerSpec> specs_;                        // With which each was started last.
  std::vector<env::Timer> restarts_;
  std::map<Source, json::Value> sources_;
  std::size_t awaited_ = 0;  // Answers about sources.
  env::Timer look_again_ = {};
  bool is_stopping_ = false;
  env::Scope scope_;
};

}  // namespace berth::local
