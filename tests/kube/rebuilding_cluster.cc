#include "kube/rebuilding_cluster.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/yaml_read.h"
#include "kube/agents.h"
#include "kube/commands.h"
#include "kube/controller_manager.h"
#include "kube/crds.h"
#include "kube/objects.h"
#include "kube/paths.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using api::field;
using api::text_field;
using json::Value;
using ::testing::HasSubstr;

const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kNodes{"", "v1", "nodes"};
const client::Gvr kReservations{"reserve.berth.dev", "v1alpha1", "podreservations"};

const std::string kWorker = "zsj-dev-worker1-201";

// Of one pod of two cores, whose label app is the kind.
std::string workload_yaml(const std::string& kind, const std::string& scheduler) {
  const bool is_job = kind == "Job";
  const std::string head =
      is_job ? "" : fmt::format("replicas: 1\n  selector: {{matchLabels: {{app: {}}}}}\n  ", kind);
  return fmt::format(R"(
apiVersion: {0}
kind: {1}
metadata: {{name: {2}, namespace: default}}
spec:
  {3}template:
    metadata: {{labels: {{app: {1}, "reserve.berth.dev/rebuild": "true"}}}}
    spec:
      schedulerName: {4}
      restartPolicy: {5}
      containers:
      - {{name: c, image: nginx, resources: {{requests: {{cpu: "2", memory: 128Mi}}}}}}
)",
                     is_job ? "batch/v1" : "apps/v1", kind, lower_ascii(kind), head, scheduler,
                     is_job ? "Never" : "Always");
}

}  // namespace

void RebuildingCluster::SetUp() {
  auto server = start_with_berth_crds();
  ASSERT_TRUE(server.ok()) << server.error().message;
  server_ = *std::move(server);
  api_ = std::make_unique<BlockingApi>(server_->kubeconfig());
  const bool is_real = has_controller_manager(*server_);
  if (!is_real) caretaker_ = std::make_unique<Caretaker>(*server_);
  auto pod_maker = is_real ? start_controller_manager(*server_, kAllButNodes)
                           : begin({"kubelet", "--data-dir", (server_->folder() / "pods").string(),
                                    "--make-pods", "--nodes=none-of-these"});
  ASSERT_TRUE(pod_maker.ok()) << pod_maker.error().message;
  pod_maker_ = *std::move(pod_maker);
}

// --- Who takes part ------------------------------------------------------------------------------

void RebuildingCluster::keep(Result<Child> program) {
  ASSERT_TRUE(program.ok()) << program.error().message;
  programs_.push_back(*std::move(program));
}

Result<Child> RebuildingCluster::begin(std::vector<std::string> arguments) {
  const std::string log = arguments.front() + ".log";
  arguments.insert(arguments.begin(), berth_program().string());
  arguments.insert(arguments.end(), {"--kubeconfig=" + server_->kubeconfig().string(),
                                     "--health-probe-bind-address=0", "--metrics-bind-address=0"});
  return Child::start(arguments, server_->folder() / log);
}

void RebuildingCluster::start_controller() {
  keep(start_controllers(*server_, {"--controllers=reservation", "--reservation-keep=1s"}));
}

std::filesystem::path RebuildingCluster::write_file(const std::string& name,
                                                    std::string_view text) {
  std::filesystem::path file = server_->folder() / name;
  std::ofstream(file) << text;
  return file;
}

// --- What is there -------------------------------------------------------------------------------

void RebuildingCluster::create(const std::string& yaml) {
  for (const Value& object : json::read_yaml(yaml).value()) {
    const auto made = api_->create(collection_of(object), object);
    ASSERT_TRUE(made.ok()) << made.error().message << "\n" << yaml;
  }
}

void RebuildingCluster::create_deployment(std::string_view name, std::string_view cpu,
                                          std::string_view labels) {
  create(fmt::format(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {0}, namespace: default}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app: {0}}}}}
  template:
    metadata: {{labels: {{app: {0}{2}}}}}
    spec:
      schedulerName: {3}
      containers:
      - {{name: {0}, image: nginx, resources: {{requests: {{cpu: "{1}", memory: 128Mi}}}}}}
)",
                     name, cpu, labels, scheduler_name_));
}

void RebuildingCluster::patch_node(const std::string& name, std::string_view patch) {
  const auto done = api_->patch({.resource = kNodes, .name = name}, json::parse(patch).value(), {});
  ASSERT_TRUE(done.ok()) << done.error().message;
}

std::string RebuildingCluster::begin_rebuild(std::string_view app) {
  std::string old = pod_of(app);
  EXPECT_TRUE(api_->remove({.resource = kPods, .ns = "default", .name = old}).ok());
  EXPECT_TRUE(wait_until([&] { return !pod_of(app).empty() && pod_of(app) != old; }));
  return old;
}

// --- What has come of it -------------------------------------------------------------------------

std::vector<Value> RebuildingCluster::pods_of(std::string_view app) {
  const auto all = api_->list_all({.resource = kPods});
  EXPECT_TRUE(all.ok());
  std::vector<Value> pods;
  if (!all.ok()) return pods;
  for (const Value& pod : all->items) {
    const api::Metadata metadata(pod);
    if (metadata.labels().find("app") == app && !metadata.is_being_deleted()) pods.push_back(pod);
  }
  return pods;
}

std::string RebuildingCluster::pod_of(std::string_view app) {
  const auto pods = pods_of(app);
  return pods.size() == 1 ? std::string(api::Metadata(pods[0]).name()) : "";
}

std::string RebuildingCluster::node_of(std::string_view app) {
  const auto pods = pods_of(app);
  return pods.size() == 1 ? text_field(field(pods[0], "spec"), "nodeName") : "";
}

std::string RebuildingCluster::refusal_of(std::string_view app) {
  for (const Value& pod : pods_of(app)) {
    for (const Value& condition : api::elements_field(field(pod, "status"), "conditions")) {
      const bool is_it = text_field(condition, "type") == "PodScheduled" &&
                         text_field(condition, "status") == "False";
      if (is_it) return text_field(condition, "reason") + ": " + text_field(condition, "message");
    }
  }
  return "";
}

std::string RebuildingCluster::uid_of(std::string_view app) {
  const auto pods = pods_of(app);
  return pods.size() == 1 ? std::string(api::Metadata(pods[0]).uid()) : "";
}

std::size_t RebuildingCluster::reservations(std::string_view phase) {
  const auto all = api_->list_all({.resource = kReservations});
  if (!all.ok()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(all->items, [&](const Value& reservation) {
    return text_field(field(reservation, "status"), "phase") == phase;
  }));
}

std::string RebuildingCluster::reservation_phase() {
  const auto all = api_->list_all({.resource = kReservations});
  if (!all.ok() || all->items.empty()) return "";
  return text_field(field(all->items[0], "status"), "phase");
}

// --- The stories ---------------------------------------------------------------------------------

void RebuildingCluster::build_master_and_worker() {
  make_ready_node(*api_, {.name = "zsj-dev-master-200", .cpu = "6000m", .memory = "8Gi"});
  patch_node("zsj-dev-master-200", R"({"spec":{"taints":[
      {"key":"node-role.kubernetes.io/control-plane","effect":"NoSchedule"}]}})");
  make_ready_node(*api_, {.name = kWorker, .cpu = "6000m", .memory = "8Gi"});
  make_bound_pod(*api_, {.name = "system", .node = kWorker, .cpu = "250m", .memory = "64Mi"});
}

// As it stands in the project that had the idea.
void RebuildingCluster::deploy_to_the_worker() {
  apply_yaml(*server_, fmt::format(R"(
apiVersion: apps/v1
kind: Deployment
metadata:
  name: testngx
  namespace: default
spec:
  replicas: 1
  selector:
    matchLabels:
      app: testngx
  template:
    metadata:
      labels:
        app: testngx
    spec:
      schedulerName: {}
      containers:
        - image: nginx
          imagePullPolicy: IfNotPresent
          name: testngx
          ports:
            - containerPort: 80
          resources:
            requests:
              cpu: "1000m"
              memory: "128Mi"
)",
                                   scheduler_name_));
  ASSERT_TRUE(wait_until([&] { return node_of("testngx") == kWorker; })) << refusal_of("testngx");
}

std::chrono::milliseconds RebuildingCluster::tell_of_the_annotation() {
  const std::string annotation = "reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173";
  checked_kubectl(*server_, {"annotate", "node", kWorker, annotation + "=5000m"});
  wait_until_kept(kWorker);
  remove_pod(*api_, begin_rebuild("testngx"));
  EXPECT_TRUE(wait_until([&] { return refusal_of("testngx").contains(annotation); }))
      << refusal_of("testngx");
  EXPECT_THAT(refusal_of("testngx"), HasSubstr("Unschedulable: 0/2 nodes are available: "));
  EXPECT_THAT(refusal_of("testngx"), HasSubstr("untolerated taint"));
  EXPECT_EQ(node_of("testngx"), "");

  const auto began = std::chrono::steady_clock::now();
  checked_kubectl(*server_, {"annotate", "node", kWorker, annotation + "-"});
  EXPECT_TRUE(wait_until([&] { return node_of("testngx") == kWorker; })) << refusal_of("testngx");
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               began);
}

void RebuildingCluster::fill_tightly() {
  make_ready_node(*api_, {.name = "n1", .cpu = "4", .memory = "8Gi"});
  make_ready_node(*api_, {.name = "n2", .cpu = "4", .memory = "8Gi"});
  make_bound_pod(*api_, {.name = "rest1", .node = "n1", .cpu = "2", .memory = "1Gi"});
  make_bound_pod(*api_, {.name = "rest2", .node = "n2", .cpu = "4", .memory = "1Gi"});
  start_scheduler();
  create_deployment("web", "2", R"(, "reserve.berth.dev/rebuild": "true")");
  ASSERT_TRUE(wait_until([&] { return node_of("web") == "n1"; })) << refusal_of("web");
  create_deployment("late", "1");
  ASSERT_TRUE(wait_until([&] { return refusal_of("late").contains("Insufficient cpu"); }))
      << refusal_of("late");
}

void RebuildingCluster::tell_of_the_tight_cluster_with_the_controller() {
  start_controller();
  ASSERT_NO_FATAL_FAILURE(fill_tightly());
  const std::string old = begin_rebuild("web");
  ASSERT_TRUE(wait_until([&] { return reservation_phase() == "Holding"; }));
  wait_until_kept("n1");
  remove_pod(*api_, old);
  EXPECT_TRUE(wait_until([&] { return node_of("web") == "n1"; })) << refusal_of("web");
  EXPECT_EQ(node_of("late"), "");
  EXPECT_NE(pod_of("web"), old);
  // It ends as Bound, is looked at for a second, and goes.
  EXPECT_TRUE(wait_until([&] { return reservation_phase().empty(); })) << reservation_phase();
}

void RebuildingCluster::tell_of_the_tight_cluster_without_the_controller() {
  ASSERT_NO_FATAL_FAILURE(fill_tightly());
  // Its owner takes its time.
  pod_maker_.send(SIGSTOP);
  remove_pod(*api_, pod_of("web"));
  EXPECT_TRUE(wait_until([&] { return node_of("late") == "n1"; })) << refusal_of("late");
  pod_maker_.send(SIGCONT);
  EXPECT_TRUE(wait_until([&] { return refusal_of("web").contains("Insufficient cpu"); }))
      << refusal_of("web");
  EXPECT_EQ(node_of("web"), "");
}

void RebuildingCluster::tell_of_other_workloads() {
  start_controller();
  start_scheduler();
  const std::string kinds[] = {"ReplicaSet", "StatefulSet", "Job"};
  for (const std::string& kind : kinds) {
    const std::string node = "of-" + lower_ascii(kind);
    make_ready_node(*api_, {.name = node, .cpu = "4", .memory = "8Gi"});
    make_bound_pod(*api_, {.name = "rest-" + node, .node = node, .cpu = "2", .memory = "1Gi"});
  }
  struct Rebuilt {
    std::string pod;
    std::string uid;
    std::string node;
  };
  std::map<std::string, Rebuilt> before;
  for (const std::string& kind : kinds) {
    create(workload_yaml(kind, scheduler_name_));
    ASSERT_TRUE(wait_until([&] { return !node_of(kind).empty(); })) << kind << refusal_of(kind);
    before[kind] = {pod_of(kind), uid_of(kind), node_of(kind)};
  }
  create_deployment("late", "1");
  ASSERT_TRUE(wait_until([&] { return refusal_of("late").contains("Insufficient cpu"); }));

  for (const auto& [kind, was] : before) {
    EXPECT_TRUE(api_->remove({.resource = kPods, .ns = "default", .name = was.pod}).ok());
  }
  ASSERT_TRUE(wait_until([&] { return reservations("Holding") == std::size(kinds); }));
  for (const auto& [kind, was] : before) {
    remove_pod(*api_, was.pod);
    EXPECT_TRUE(wait_until([&] { return uid_of(kind) != was.uid && node_of(kind) == was.node; }))
        << kind << " " << refusal_of(kind);
  }
  EXPECT_EQ(node_of("late"), "");
}

void RebuildingCluster::tell_of_the_reservation_that_goes() {
  make_ready_node(*api_, {.name = "n1", .cpu = "4", .memory = "8Gi"});
  create(R"(
apiVersion: reserve.berth.dev/v1alpha1
kind: PodReservation
metadata: {name: kept, namespace: default}
spec:
  nodeName: n1
  resources: {cpu: "4"}
  owner: {uid: somebody}
  expireTime: "2099-01-01T00:00:00Z"
)");
  start_scheduler();
  wait_until_kept("n1");
  create_deployment("late", "1");
  EXPECT_TRUE(wait_until([&] {
    return refusal_of("late").contains("PodReservation default/kept");
  })) << refusal_of("late");
  EXPECT_THAT(refusal_of("late"), HasSubstr(" for owner somebody until 2099-01-01T00:00:"));
  EXPECT_EQ(node_of("late"), "");
  const auto explained = berth(*server_, {"explain", "pod", pod_of("late"), "n1", "-n", "default"});
  ASSERT_TRUE(explained.ok()) << explained.error().message;
  EXPECT_THAT(*explained, HasSubstr("n1 does not take the pod: PodReservation: Insufficient cpu"));
  EXPECT_THAT(*explained, HasSubstr("PodReservation default/kept keeps cpu 4 for owner somebody"));
  ASSERT_TRUE(api_->remove({.resource = kReservations, .ns = "default", .name = "kept"}).ok());
  EXPECT_TRUE(wait_until([&] { return node_of("late") == "n1"; })) << refusal_of("late");
}

}  // namespace berth::kube
