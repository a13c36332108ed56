// How long does it take until 1,000 placements over 1,000 clusters are decided on a real API
// server, and until all of them follow one changed score? Berth's and OCM's controllers, and a
// program that only issues the same writes, each on a server of its own.
//
//   placements_bench [PLACEMENTS [CLUSTERS [berth|ocm|writes]]]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "client/informer_service.h"
#include "kube/accounts.h"
#include "kube/blocking_api.h"
#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/ports.h"
#include "kube/server.h"
#include "placement/fleet/watched_kinds.h"

namespace berth {
namespace {

using json::Value;
using placement::resource_of;
using placement::Watched;
using Clock = std::chrono::steady_clock;

struct Size {
  int placements = 1000;
  int clusters = 1000;
};

std::string placement_name(int i) { return fmt::format("p{:05}", i); }
std::string cluster_name(int i) { return fmt::format("cluster{:05}", i); }

Value named(std::string_view api_version, std::string_view kind, const std::string& ns,
            const std::string& name) {
  Value object = Value::object({{"apiVersion", api_version}, {"kind", kind}});
  object["metadata"]["name"] = name;
  if (!ns.empty()) object["metadata"]["namespace"] = ns;
  return object;
}

const std::string kGroup = "cluster.open-cluster-management.io/";

Value make_cluster(int i) {
  Value cluster = named(kGroup + "v1", "ManagedCluster", "", cluster_name(i));
  cluster["metadata"]["labels"]["cluster.open-cluster-management.io/clusterset"] = "default";
  cluster["spec"]["hubAcceptsClient"] = true;
  return cluster;
}

Value make_score(int i, int value) {
  Value score = named(kGroup + "v1alpha1", "AddOnPlacementScore", "default", "");
  score["metadata"]["name"] = "demo";
  score["metadata"]["namespace"] = cluster_name(i);
  score["status"]["scores"] = Value::array({Value::object({{"name", "s"}, {"value", value}})});
  return score;
}

Value make_placement(int i) {
  Value object = named(kGroup + "v1beta1", "Placement", "default", placement_name(i));
  Value coordinate = Value::object({{"type", "AddOn"}});
  coordinate["addOn"] = Value::object({{"resourceName", "demo"}, {"scoreName", "s"}});
  object["spec"]["numberOfClusters"] = 3;
  object["spec"]["prioritizerPolicy"]["mode"] = "Exact";
  object["spec"]["prioritizerPolicy"]["configurations"] =
      Value::array({Value::object({{"scoreCoordinate", std::move(coordinate)}, {"weight", 1}})});
  return object;
}

// Many calls at once on one Api, and how they ended.
class Crowd {
 public:
  explicit Crowd(kube::BlockingApi& api) : api_(api) {}

  // Starts `count` chains of calls, so many at a time; `begin` calls its argument when it is done.
  bool run(int count, int at_a_time,
           const std::function<void(int, std::function<void(const Status&)>)>& begin) {
    next_ = done_ = 0;
    count_ = count;
    begin_ = begin;
    api_.on_loop([&] {
      for (int i = 0; i < at_a_time; ++i) start_next();
    });
    const bool ended = api_.eventually([&] { return done_ == count_; }, std::chrono::seconds(900));
    if (!error_.empty()) std::fprintf(stderr, "%s\n", error_.c_str());
    return ended && error_.empty();
  }

 private:
  void start_next() {
    if (next_ == count_) return;
    begin_(next_++, [this](const Status& status) {
      if (!status.ok()) error_ = status.error().message;
      ++done_;
      start_next();
    });
  }

  kube::BlockingApi& api_;
  std::function<void(int, std::function<void(const Status&)>)> begin_;
  int next_ = 0;
  int done_ = 0;
  int count_ = 0;
  std::string error_;
};

Status status_of(const Result<Value>& answer) {
  if (answer.ok()) return {};
  return failure(answer.error());
}

constexpr int kAtATime = 64;

class Scene {
 public:
  static std::unique_ptr<Scene> set(Size size) {
    auto server = kube::Server::start(
        {.flags = {"--enable-priority-and-fairness=false", "--max-requests-inflight=3000",
                   "--max-mutating-requests-inflight=1000"}});
    if (!server.ok() || !kube::apply_berth_crds(**server).ok()) return nullptr;
    auto scene = std::unique_ptr<Scene>(new Scene(*std::move(server), size));
    return scene->fill() ? std::move(scene) : nullptr;
  }

  ~Scene() {
    api_.on_loop([&] { decisions_.reset(); });
  }

  kube::Server& server() { return *server_; }
  kube::BlockingApi& api() { return api_; }

  // Seconds from `start` until one decision names that cluster ("" is any), and until all do.
  struct Times {
    double first = 0;
    double last = 0;
  };

  // From now on decisions that name the cluster are waited for.
  void expect(const std::string& cluster) {
    api_.on_loop([&] {
      expected_ = cluster;
      seen_.clear();
    });
  }

  Times await(Clock::time_point start, int all) {
    api_.eventually([&] { return static_cast<int>(seen_.size()) == all; },
                    std::chrono::seconds(900));
    Times times;
    api_.on_loop([&] {
      times = {.first = std::chrono::duration<double>(first_ - start).count(),
               .last = std::chrono::duration<double>(last_ - start).count()};
    });
    return times;
  }

  void raise_score(int cluster) {
    const client::ResourcePath path = {.resource = resource_of(Watched::Scores),
                                       .ns = cluster_name(cluster),
                                       .name = "demo",
                                       .subresource = "status"};
    const auto answer = api_.patch(path, make_score(cluster, 100), {});
    if (!answer.ok()) std::fprintf(stderr, "%s\n", answer.error().message.c_str());
  }

 private:
  Scene(std::unique_ptr<kube::Server> server, Size size)
      : server_(std::move(server)),
        size_(size),
        api_(server_->kubeconfig(), {.rate = {.per_second = 0}}) {
    api_.on_loop([&] {
      decisions_ = std::make_unique<client::InformerService>(
          api_.env(), api_.api(),
          client::InformerSpec{.collection = {.resource = resource_of(Watched::Decisions)}});
      decisions_->add_handler([this](const client::Delta& delta) { note(delta.object()); });
      decisions_->start();
    });
  }

  void note(const client::Object& decision) {
    const Value* list = decision.body().find_path({"status", "decisions"});
    const auto names = [this](const Value& entry) {
      return expected_.empty() || entry.find("clusterName")->string_or_empty() == expected_;
    };
    if (!list || !std::ranges::any_of(list->elements(), names)) return;
    if (!seen_.insert(std::string(decision.name())).second) return;
    last_ = Clock::now();
    if (seen_.size() == 1) first_ = last_;
  }

  bool create_all(int count, Watched kind, const std::string& ns,
                  const std::function<Value(int)>& make) {
    return Crowd(api_).run(count, kAtATime, [&](int i, auto done) {
      api_.api().create({.resource = resource_of(kind), .ns = ns}, make(i), {},
                        [done](const Result<Value>& answer) { done(status_of(answer)); });
    });
  }

  bool fill() {
    const client::Gvr namespaces = {"", "v1", "namespaces"};
    Value set = named(kGroup + "v1beta2", "ManagedClusterSet", "", "default");
    set["spec"]["clusterSelector"]["selectorType"] = "ExclusiveClusterSetLabel";
    Value binding = named(kGroup + "v1beta2", "ManagedClusterSetBinding", "default", "default");
    binding["spec"]["clusterSet"] = "default";
    if (!api_.create({.resource = resource_of(Watched::Sets)}, set).ok()) return false;
    if (!api_.create({.resource = resource_of(Watched::Bindings), .ns = "default"}, binding).ok()) {
      return false;
    }
    const bool clusters = create_all(size_.clusters, Watched::Clusters, "", make_cluster);
    const bool scores = Crowd(api_).run(size_.clusters, kAtATime, [&](int i, auto done) {
      const auto score_made = [this, i, done](const Result<Value>& answer) {
        if (!answer.ok()) return done(status_of(answer));
        api_.api().patch({.resource = resource_of(Watched::Scores),
                          .ns = cluster_name(i),
                          .name = "demo",
                          .subresource = "status"},
                         make_score(i, i % 50), {},
                         [done](const Result<Value>& patched) { done(status_of(patched)); });
      };
      api_.api().create({.resource = namespaces}, named("v1", "Namespace", "", cluster_name(i)), {},
                        [this, i, done, score_made](const Result<Value>& answer) {
                          if (!answer.ok()) return done(status_of(answer));
                          api_.api().create(
                              {.resource = resource_of(Watched::Scores), .ns = cluster_name(i)},
                              make_score(i, 0), {}, score_made);
                        });
    });
    return clusters && scores &&
           create_all(size_.placements, Watched::Placements, "default", make_placement);
  }

  std::unique_ptr<kube::Server> server_;
  Size size_;
  kube::BlockingApi api_;
  std::unique_ptr<client::InformerService> decisions_;
  std::string expected_;
  std::set<std::string> seen_;  // Decisions that are as expected.
  Clock::time_point first_;
  Clock::time_point last_;
};

double peak_megabytes(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

void print(const std::string& who, Scene::Times all, Scene::Times change, double memory) {
  std::puts(
      fmt::format("{:22} all decided: first {:6.2f} s, last {:6.2f} s ({:6.2f} s between)   one "
                  "score: first {:7.1f} ms, last {:6.2f} s   peak memory {:6.1f} MB",
                  who, all.first, all.last, all.last - all.first, change.first * 1e3, change.last,
                  memory)
          .c_str());
  std::fflush(stdout);
}

// A controller that starts when everything is there.
void measure(const std::string& who, Size size,
             const std::function<Result<kube::Child>(kube::Server&)>& start) {
  const auto scene = Scene::set(size);
  if (!scene) return;
  const auto began = Clock::now();
  auto controller = start(scene->server());
  if (!controller.ok()) {
    std::fprintf(stderr, "%s\n", controller.error().message.c_str());
    return;
  }
  const auto all = scene->await(began, size.placements);
  std::this_thread::sleep_for(std::chrono::seconds(3));  // Statuses and events are through.
  scene->expect(cluster_name(size.clusters / 2));
  const auto changed = Clock::now();
  scene->raise_score(size.clusters / 2);
  const auto change = scene->await(changed, size.placements);
  print(who, all, change, peak_megabytes(controller->id()));
  controller->stop();
}

Value decision_status(const Value& object, const std::string& best) {
  Value patch = Value::object();
  for (const char* name : {"uid", "resourceVersion"}) {
    patch["metadata"][name] = *object.find_path({"metadata", name});
  }
  for (const std::string& cluster : {best, cluster_name(49), cluster_name(99)}) {
    patch["status"]["decisions"].push_back(
        Value::object({{"clusterName", cluster}, {"reason", ""}}));
  }
  return patch;
}

// The same writes as the controllers make, and nothing else.
class WritesAlone {
 public:
  WritesAlone(const kube::Server& server, Size size)
      : size_(size), api_(server.kubeconfig(), {.rate = {.per_second = 0}}) {}

  bool decide() {
    return Crowd(api_).run(size_.placements, kAtATime, [&](int i, auto done) { create(i, done); });
  }
  bool change() {
    return Crowd(api_).run(size_.placements, kAtATime,
                           [&](int i, auto done) { patch_decision(i, cluster_name(0), done); });
  }

 private:
  using Done = std::function<void(const Status&)>;

  client::ResourcePath path(Watched kind, const std::string& name, const std::string& part) const {
    return {.resource = resource_of(kind), .ns = "default", .name = name, .subresource = part};
  }

  void create(int i, const Done& done) {
    Value object = named(kGroup + "v1beta1", "PlacementDecision", "default",
                         placement_name(i) + "-decision-1");
    object["metadata"]["labels"]["cluster.open-cluster-management.io/placement"] =
        placement_name(i);
    api_.api().create(path(Watched::Decisions, "", ""), object, {},
                      [this, i, done](const Result<Value>& answer) {
                        if (!answer.ok()) return done(status_of(answer));
                        decisions_[static_cast<std::size_t>(i)] = *answer;
                        patch_decision(i, cluster_name(149), [this, i, done](const Status& status) {
                          status.ok() ? patch_placement(i, done) : done(status);
                        });
                      });
  }

  void patch_decision(int i, const std::string& best, const Done& done) {
    Value& object = decisions_[static_cast<std::size_t>(i)];
    api_.api().patch(path(Watched::Decisions, placement_name(i) + "-decision-1", "status"),
                     decision_status(object, best), {},
                     [&object, done](const Result<Value>& answer) {
                       if (answer.ok()) object = *answer;
                       done(status_of(answer));
                     });
  }

  void patch_placement(int i, const Done& done) {
    Value condition = Value::object({{"type", "PlacementSatisfied"},
                                     {"status", "True"},
                                     {"reason", "AllDecisionsScheduled"},
                                     {"message", "All cluster decisions scheduled"},
                                     {"lastTransitionTime", "2026-01-01T00:00:00Z"}});
    Value other = condition;
    other["type"] = "PlacementMisconfigured";
    Value patch = Value::object();
    patch["status"]["numberOfSelectedClusters"] = 3;
    patch["status"]["conditions"] = Value::array({std::move(condition), std::move(other)});
    api_.api().patch(path(Watched::Placements, placement_name(i), "status"), patch, {},
                     [done](const Result<Value>& answer) { done(status_of(answer)); });
  }

  Size size_;
  kube::BlockingApi api_;
  std::vector<Value> decisions_ = std::vector<Value>(static_cast<std::size_t>(size_.placements));
};

void measure_writes(Size size) {
  const auto scene = Scene::set(size);
  if (!scene) return;
  WritesAlone writes(scene->server(), size);
  const auto began = Clock::now();
  if (!writes.decide()) return;
  const auto all = scene->await(began, size.placements);
  scene->expect(cluster_name(0));
  const auto changed = Clock::now();
  if (!writes.change()) return;
  print("the writes alone", all, scene->await(changed, size.placements), 0);
}

Result<kube::Child> start_ocm(kube::Server& server, const std::vector<std::string>& flags) {
  const char* program = std::getenv("BERTH_OCM_PLACEMENT");
  if (!program) return failure(Code::NotFound, "$BERTH_OCM_PLACEMENT is not set");
  std::vector<std::string> command = {"env",
                                      "--chdir=" + server.folder().string(),
                                      program,
                                      "controller",
                                      "--kubeconfig",
                                      server.kubeconfig().string(),
                                      "--namespace",
                                      "default",
                                      "--disable-leader-election",
                                      "--listen",
                                      fmt::format("127.0.0.1:{}", kube::free_port())};
  command.insert(command.end(), flags.begin(), flags.end());
  return kube::Child::start(command, server.folder() / "ocm.log");
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  using namespace berth;
  Size size;
  if (argc > 1) size.placements = std::atoi(argv[1]);
  if (argc > 2) size.clusters = std::atoi(argv[2]);
  std::puts(fmt::format("{} placements (Exact AddOn score, 3 clusters) over {} clusters; "
                        "kube-apiserver and etcd (no fsync) on the same machine",
                        size.placements, size.clusters)
                .c_str());
  const std::string only = argc > 3 ? argv[3] : "";
  if (only.empty() || only == "writes") measure_writes(size);
  if (only.empty() || only == "berth") {
    measure("berth", size, [](kube::Server& server) {
      // With all rights, as the others have them: to look rights up costs the server time.
      return kube::start_controllers_with(server, server.kubeconfig(),
                                          {"--controllers=placement", "--leader-elect=false"});
    });
  }
  if (only.empty() || only == "ocm") {
    measure("OCM, as it is", size, [](kube::Server& server) { return start_ocm(server, {}); });
    measure("OCM, raised limits", size, [](kube::Server& server) {
      return start_ocm(server, {"--kube-api-qps=1000", "--kube-api-burst=2000"});
    });
  }
  return 0;
}
