#include "local/binding_controller.h"

#include <string>
#include <utility>

#include "api/kinds/pod.h"
#include "client/errors.h"
#include "local/workload_caches_service.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::string_view kDefaultScheduler = "default-scheduler";
constexpr std::size_t kInWorkMax = 16;

const client::Gvr& pods_resource() {
  static const client::Gvr resource{"", "v1", "pods"};
  return resource;
}

const client::Gvr& nodes_resource() {
  static const client::Gvr resource{"", "v1", "nodes"};
  return resource;
}

bool waits_for_us(const Value& object) {
  const api::Pod pod = api::Pod::from_json(object);
  return !pod.is_bound() && !pod.being_deleted && !pod.is_terminal() &&
         (pod.scheduler_name.empty() || pod.scheduler_name == kDefaultScheduler);
}

Value binding_of(const client::ObjectKey& key, const std::string& node) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Binding"},
       {"metadata", Value::object({{"name", key.name}, {"namespace", key.ns}})},
       {"target", Value::object({{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}})}});
}

}  // namespace

BindingController::BindingController(const env::Env& env, client::Api& api,
                                     client::Informers& caches, control::MayWrite may_write)
    : env_(env),
      api_(api),
      may_write_(std::move(may_write)),
      reconciler_(env, "binding", kInWorkMax, [this](const client::ObjectKey& key) { work(key); }),
      pods_(caches.of(pods_resource())),
      nodes_(caches.of(nodes_resource())) {
  pod_handler_ = pods_.add_handler(
      scope_.guard([this](const client::Delta& delta) { on_changed(delta.object().key()); }));
  node_handler_ = nodes_.add_handler(scope_.guard([this](const client::Delta&) { on_node(); }));
  for (client::InformerService* cache : {&pods_, &nodes_}) {
    cache->when_synced(scope_.guard([this] { start_when_synced(); }));
  }
}

BindingController::~BindingController() {
  pods_.remove_handler(pod_handler_);
  nodes_.remove_handler(node_handler_);
}

void BindingController::start_when_synced() {
  if (has_synced()) reconciler_.start();
}

void BindingController::on_changed(const client::ObjectKey& key) {
  const client::ObjectPtr pod = pods_.store().find(key);
  if (pod && waits_for_us(pod->body())) return reconciler_.add(key);
  assumed_.erase(key);
}

// A node may take what found no place.
void BindingController::on_node() {
  for (const client::ObjectPtr& pod : pods_.store().objects()) on_changed(pod->key());
}

ClusterUse BindingController::use() const {
  ClusterUse use;
  for (const client::ObjectPtr& node : nodes_.store().objects()) use.add_node(node->body());
  for (const client::ObjectPtr& pod : pods_.store().objects()) use.add_pod(pod->body());
  return use;
}

std::vector<NodeLoad> BindingController::nodes() const {
  std::map<std::string, std::size_t> assumed;
  for (const auto& [pod, node] : assumed_) ++assumed[node];
  std::vector<NodeLoad> loads;
  for (const client::ObjectPtr& object : nodes_.store().objects()) {
    auto node = api::Node::from_json(object->body());
    if (!node.ok()) continue;  // Nobody can say what fits on it.
    const std::string& name = object->key().name;
    const std::size_t pods = pods_.store().with(kByNode, name).size() + assumed[name];
    loads.push_back({.node = *std::move(node), .pods = pods});
  }
  return loads;
}

void BindingController::work(const client::ObjectKey& key) {
  const client::ObjectPtr pod = pods_.store().find(key);
  const bool waits = pod && waits_for_us(pod->body()) && !assumed_.contains(key);
  if (!waits || !may_write_()) return reconciler_.finish(key);
  const std::vector<NodeLoad> loads = nodes();
  const NodeLoad* chosen = choose_node(pod->body(), loads);
  if (!chosen) return reconciler_.finish(key);  // Until a node changes.
  bind(key, chosen->node.name);
}

void BindingController::bind(const client::ObjectKey& key, const std::string& node) {
  assumed_[key] = node;
  api_.create(
      {.resource = pods_resource(), .ns = key.ns, .name = key.name, .subresource = "binding"},
      binding_of(key, node), {}, scope_.guard([this, key](const Result<Value>& answer) {
        // It is bound or gone already.
        const bool settled = answer.ok() || client::is_not_found(answer.error()) ||
                             client::is_conflict(answer.error());
        if (!answer.ok()) assumed_.erase(key);
        if (!settled) {
          env_.log.warn("binding.failed", {{"pod", key.text()}, {"error", answer.error().message}});
        }
        reconciler_.finish(key, settled ? Status() : Status(failure(answer.error())));
      }));
}

}  // namespace berth::local
