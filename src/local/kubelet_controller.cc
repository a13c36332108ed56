#include "local/kubelet_controller.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "local/pod_status.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::size_t kInWorkMax = 64;

const client::Gvr& pods_resource() {
  static const client::Gvr resource{"", "v1", "pods"};
  return resource;
}

}  // namespace

KubeletController::KubeletController(const env::Env& env, client::Api& api,
                                     client::Informers& caches, KubeletOptions options)
    : env_(env),
      api_(api),
      options_(std::move(options)),
      committer_(env.loop, api, [] { return true; }, {.field_manager = "berth-kubelet"}),
      reconciler_(env, "kubelet", kInWorkMax, [this](const client::ObjectKey& key) { work(key); }),
      pods_(caches.of(pods_resource())) {
  handler_ = pods_.add_handler(
      scope_.guard([this](const client::Delta& delta) { on_changed(delta.object().key()); }));
  reconciler_.start();
}

KubeletController::~KubeletController() { pods_.remove_handler(handler_); }

bool KubeletController::is_ours(const Value& object) const {
  const api::Pod pod = api::Pod::from_json(object);
  return pod.is_bound() && options_.owns(pod.node_name);
}

void KubeletController::on_changed(const client::ObjectKey& key) {
  const client::ObjectPtr pod = pods_.store().find(key);
  if (const auto found = runs_.find(key);
      found != runs_.end() && (!pod || found->second->uid() != pod->uid())) {
    runs_.erase(found);
    addresses_.erase(key);
  }
  if (!pod || !is_ours(pod->body())) return;
  run(key, pod->body());
  reconciler_.add(key);
}

void KubeletController::run(const client::ObjectKey& key, const Value& pod) {
  const auto found = runs_.find(key);
  if (api::Metadata(pod).is_being_deleted()) {
    if (found != runs_.end()) found->second->stop();
  } else if (found == runs_.end() && !api::Pod::from_json(pod).is_terminal()) {
    runs_[key] = std::make_unique<PodRun>(env_, api_, options_.runtimes, pod,
                                          [this, key] { reconciler_.add(key); });
    addresses_[key] = address_for(pod);
  }
}

std::string KubeletController::address_for(const Value& pod) {
  for (const Value& container : api::elements_field(api::field(pod, "spec"), "containers")) {
    const auto runtime = std::ranges::find_if(
        options_.runtimes, [&](const ContainerRuntime* one) { return one->runs(pod, container); });
    if (runtime == options_.runtimes.end()) continue;
    if (std::string address = (*runtime)->address_of(pod); !address.empty()) return address;
  }
  return next_address();
}

// Of a range that is set aside for tests and examples.
std::string KubeletController::next_address() {
  const std::uint32_t number = addresses_given_++ % (1U << 17U);
  return fmt::format("198.{}.{}.{}", 18U + (number >> 16U), (number >> 8U) & 255U, number & 255U);
}

void KubeletController::work(const client::ObjectKey& key) {
  const client::ObjectPtr pod = pods_.store().find(key);
  if (!pod || !is_ours(pod->body())) return reconciler_.finish(key);
  const auto found = runs_.find(key);
  const bool going = api::Metadata(pod->body()).is_being_deleted();
  if (going && (found == runs_.end() || found->second->has_stopped())) {
    return remove(key, pod->body());
  }
  if (found == runs_.end()) return reconciler_.finish(key);
  write_status(key, pod->body(), *found->second);
}

void KubeletController::write_status(const client::ObjectKey& key, const Value& pod,
                                     const PodRun& run) {
  Value after = pod;
  after["status"] = pod_status(pod, run.states(), addresses_[key], env_.clock.now());
  if (after == pod) return reconciler_.finish(key);
  committer_.submit({.resource = pods_resource(), .before = pod, .after = std::move(after)},
                    scope_.guard([this, key](const Status& status) {
                      const bool gone = !status.ok() && client::is_not_found(status.error());
                      reconciler_.finish(key, gone ? Status() : status);
                    }));
}

// The last word: the API server keeps a pod until its kubelet says that nothing runs any more.
void KubeletController::remove(const client::ObjectKey& key, const Value& pod) {
  api_.remove({.resource = pods_resource(), .ns = key.ns, .name = key.name},
              {.grace_period_seconds = 0, .uid = std::string(api::Metadata(pod).uid())},
              scope_.guard([this, key](const Result<Value>& answer) {
                const bool gone = answer.ok() || client::is_not_found(answer.error()) ||
                                  client::is_conflict(answer.error());
                reconciler_.finish(key, gone ? Status() : Status(failure(answer.error())));
              }));
}

}  // namespace berth::local
