// The kubelets of simulated nodes: pods that are bound to them run, and their status says so.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "local/container_runtime_service.h"
#include "local/pod_run_service.h"

namespace berth::local {

struct KubeletOptions {
  // Whose pods are ours.
  std::function<bool(std::string_view node)> owns = [](std::string_view) { return true; };

  // Asked in this order for each container; they outlive the kubelet.
  std::vector<ContainerRuntime*> runtimes = {};
};

class KubeletController {
 public:
  // All that is borrowed outlives the controller.
  KubeletController(const env::Env& env, client::Api& api, client::Informers& caches,
                    KubeletOptions options);
  ~KubeletController();

  bool has_synced() const { return pods_.has_synced(handler_); }
  bool is_idle() const { return reconciler_.is_idle(); }
  std::size_t runs() const { return runs_.size(); }

 private:
  void on_changed(const client::ObjectKey& key);
  bool is_ours(const json::Value& pod) const;
  void run(const client::ObjectKey& key, const json::Value& pod);
  void work(const client::ObjectKey& key);
  void write_status(const client::ObjectKey& key, const json::Value& pod, const PodRun& run);
  void remove(const client::ObjectKey& key, const json::Value& pod);
  std::string address_for(const json::Value& pod);
  std::string next_address();

  env::Env env_;
  client::Api& api_;
  KubeletOptions options_;
  control::Committer committer_;
  control::Reconciler<client::ObjectKey> reconciler_;
  std::map<client::ObjectKey, std::unique_ptr<PodRun>> runs_;
  std::map<client::ObjectKey, std::string> addresses_;
  std::uint32_t addresses_given_ = 0;
  client::InformerService& pods_;
  client::HandlerId handler_ = 0;
  env::Scope scope_;
};

}  // namespace berth::local
