// Tested by tests/kube/kubelet_test.cc.
#include "app/kubelet_program.h"

#include <utility>

#include "local/binding_controller.h"
#include "local/imaginary_runtime_service.h"
#include "local/kubelet_controller.h"
#include "local/workload_caches_service.h"
#include "local/workloads_controller.h"

namespace berth::app {
namespace {

bool always() { return true; }

}  // namespace

struct KubeletProgram::Work {
  Work(const env::Env& env, client::Api& api, const KubeletSettings& settings)
      : processes(env, api, settings.processes),
        imaginary(env),
        caches(local::workload_caches(env, api)),
        kubelet(env, api, caches,
                {.owns =
                     [nodes = settings.nodes](std::string_view node) {
                       return nodes.empty() || nodes.contains(std::string(node));
                     },
                 .runtimes = {&processes, &imaginary}}) {
    if (settings.makes_pods) {
      workloads = std::make_unique<local::WorkloadsController>(env, api, caches, always);
    }
    if (settings.binds_pods) {
      binding = std::make_unique<local::BindingController>(env, api, caches, always);
    }
  }

  bool has_synced() const {
    return kubelet.has_synced() && (!workloads || workloads->has_synced()) &&
           (!binding || binding->has_synced());
  }

  local::ProcessRuntime processes;
  local::ImaginaryRuntime imaginary;
  client::Informers caches;
  local::KubeletController kubelet;
  std::unique_ptr<local::WorkloadsController> workloads;
  std::unique_ptr<local::BindingController> binding;
};

KubeletProgram::KubeletProgram(const env::Env& env, KubeletSettings settings, Ended ended)
    : env_(env),
      settings_(std::move(settings)),
      ended_(std::move(ended)),
      api_(
          env, settings_.cluster,
          {.user_agent = "berth-kubelet", .rate = {.per_second = 0}, .carrier = settings_.carrier}),
      operations_({env.clock, env.loop, env.network, env.metrics}) {}

void KubeletProgram::start() {
  operations_.add_check(control::Probe::Ready, {"pods", [this] { return readiness(); }});
  work_ = std::make_shared<Work>(env_, api_, settings_);
  const Status listening = listen(operations_, settings_.operations, env_.log);
  if (!listening.ok()) end(listening);
}

local::ClusterUse KubeletProgram::use() const {
  return work_ && work_->binding ? work_->binding->use() : local::ClusterUse();
}

Status KubeletProgram::readiness() const {
  if (work_ && work_->has_synced()) return {};
  return failure(Code::ServiceUnavailable, "reading the cluster");
}

void KubeletProgram::stop() {
  if (std::exchange(stopping_, true)) return;
  operations_.begin_shutdown();
  operations_.drain(scope_.guard([this] {
    work_.reset();
    end({});
  }));
}

void KubeletProgram::end(const Status& status) {
  if (!ended_) return;
  env_.loop.post(scope_.guard([ended = std::exchange(ended_, nullptr), status] { ended(status); }));
}

}  // namespace berth::app
