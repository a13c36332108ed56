// The agent of ManifestWorks: brings to its cluster what the hub has for it, keeps it so, tells the
// hub how it is, and takes it back when it is no longer wanted.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "client/api_service.h"
#include "client/discovery_service.h"
#include "client/informer_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "control/retry_delays.h"
#include "env/env.h"
#include "env/metrics.h"
#include "env/scope.h"
#include "fleet/work/applier_controller.h"
#include "fleet/work/apply_pass_controller.h"
#include "fleet/work/executor_controller.h"
#include "fleet/work/live_objects_controller.h"
#include "fleet/work/next_step.h"
#include "fleet/work/releaser_controller.h"

namespace berth::fleet {

struct WorkAgentSettings {
  std::string cluster_name;
  std::string agent_id = {};  // Empty: named like the hub.
  Duration eviction_grace = std::chrono::minutes(60);
  control::MayWrite may_write = [] { return true; };  // Asked before every write.
};

// A hub is known by how the kubeconfig writes its URL.
std::string hash_of_hub(const client::ClientConfig& hub);

class WorkAgent {
 public:
  // Both Apis outlive the agent. Lives on their loop.
  WorkAgent(const env::Env& env, client::Api& hub, client::Api& cluster,
            const WorkAgentSettings& settings);
  ~WorkAgent();

  void start();

  // Whether it knows the works of the hub and its own records; and has nothing to do right now.
  bool has_synced() const { return works_.has_synced() && records_.has_synced(); }
  bool is_idle() const { return has_synced() && reconciler_.is_idle(); }

 private:
  // A work is known by the name of its record, which orphans have too.
  using Key = std::string;

  void on_work(const client::Delta& delta);
  void on_record(const client::Delta& delta);
  void start_when_synced();
  Key key_of_work(std::string_view name) const;
  client::ObjectPtr find_work(const Key& key) const;

  void work(const Key& key);
  void act(const Key& key, WorkAction action, const client::ObjectPtr& work,
           const client::ObjectPtr& record);
  void apply(const Key& key, const client::ObjectPtr& work, const client::ObjectPtr& record);
  void create_record(const Key& key, const json::Value& work);
  void delete_record(const Key& key, const json::Value& record);
  void release(const Key& key, const client::ObjectPtr& record);
  void let_work_go(const Key& key, const json::Value& work);
  enum class Part : std::uint8_t { Object, Status };
  void change_work(const Key& key, const json::Value& before, const json::Value& after, Part part);
  void change_record(const Key& key, const json::Value& before, const json::Value& after,
                     Part part);
  void change(const Key& key, client::Api& api, client::ResourcePath path,
              const json::Value& before, const json::Value& after, Part part);
  void finish(const Key& key, const Status& status, std::optional<Duration> again = std::nullopt);
  void forget(const Key& key);

  env::Env env_;
  client::Api& hub_;
  client::Api& cluster_;
  std::string cluster_name_;
  WorkIdentity identity_;
  control::MayWrite may_write_;
  Random random_;
  client::InformerService works_;
  client::InformerService records_;
  client::DiscoveryService discovery_;
  LiveObjects live_;
  ExecutorChecks executors_;
  Applier applier_;
  Releaser releaser_;
  control::Reconciler<Key> reconciler_;
  control::RetryDelays<Key> retries_;
  std::map<Key, WorkMemory> memories_;
  std::map<Key, std::unique_ptr<ApplyPass>> passes_;
  client::HandlerId work_handler_ = 0;
  client::HandlerId record_handler_ = 0;
  bool started_ = false;
  env::Counter& failures_;
  env::Scope scope_;
};

}  // namespace berth::fleet
