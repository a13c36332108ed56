// Tested by tests/kube/up_test.cc.
#include "app/up/cluster_setup.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "fleet/registration/names.h"
#include "local/example_cluster.h"

namespace berth::app {
namespace {

using json::Value;

const client::Gvr& nodes_resource() {
  static const client::Gvr resource{"", "v1", "nodes"};
  return resource;
}

constexpr const char* kManager = "berth";

}  // namespace

ClusterSetup::ClusterSetup(client::Api& api, ClusterSetupSettings settings,
                           std::function<void(const Status&)> done)
    : api_(api), settings_(std::move(settings)), done_(std::move(done)) {
  ++open_;
  api_.list({.resource = nodes_resource()}, {.limit = 1},
            scope_.guard([this, answered = part()](Result<Value> nodes) mutable {
              const bool is_new = nodes.ok() && api::elements_field(*nodes, "items").empty();
              if (is_new) make_nodes();
              answered(std::move(nodes));
            }));
  write_bootstrap(bootstrap_writes(std::string(fleet::kAgentNamespace), settings_.bootstrap));
}

void ClusterSetup::make_nodes() {
  ++open_;
  api_.create({.resource = {"apps", "v1", "deployments"}, .ns = local::kExampleNamespace},
              local::example_workload(0), {.field_manager = kManager}, part());
  for (int i = 1; i <= settings_.nodes; ++i) {
    const Value node = local::example_node(i);
    ++open_;
    api_.create({.resource = nodes_resource()}, node, {.field_manager = kManager},
                part([this, node] { write_status(node); }));
  }
}

// An API server keeps a node's status for those who may write it.
void ClusterSetup::write_status(const Value& node) {
  ++open_;
  api_.patch({.resource = nodes_resource(),
              .name = std::string(api::Metadata(node).name()),
              .subresource = "status"},
             Value::object({{"status", api::field(node, "status")}}),
             {.write = {.field_manager = kManager}}, part());
}

// One after the other.
void ClusterSetup::write_bootstrap(std::vector<BootstrapWrite> writes) {
  if (writes.empty()) return;
  const BootstrapWrite write = std::move(writes.front());
  writes.erase(writes.begin());
  ++open_;
  api_.patch(write.path, write.object,
             {.type = client::PatchType::Apply,
              .write = {.field_manager = kManager},
              .conflicts = client::ApplyConflicts::TakeOver},
             part([this, writes = std::move(writes)] { write_bootstrap(writes); }));
}

// Of a request that was just counted. What comes after it begins before it counts as answered.
client::Done ClusterSetup::part(std::function<void()> then) {
  return scope_.guard([this, then = std::move(then)](const Result<Value>& answer) {
    const bool is_there = answer.ok() || client::is_already_exists(answer.error());
    if (!is_there && outcome_.ok()) outcome_ = failure(answer.error());
    if (answer.ok() && then) then();
    if (--open_ == 0) done_(outcome_);
  });
}

}  // namespace berth::app
