// How fast are pods bound that wait when the scheduler starts, and what does it cost? Berth's
// scheduler beside kube-scheduler, by turns on one API server.
//
//   scheduler_bench [PODS [NODES [ROUNDS]]]
//
// Each turn begins with the same nodes and as many pods that wait; then the scheduler starts. When
// all are bound they are deleted. Rates are counted from the first binding to the last; processor
// time and memory are those of the scheduler's process, its start included.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "client/informer_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/measures.h"
#include "kube/paths.h"
#include "kube/server.h"

namespace berth {
namespace {

using namespace std::chrono_literals;
using bench::Clock;
using json::Value;

struct Sizes {
  int pods;
  int nodes;
  int rounds;
};

struct Contestant {
  std::string name;
  std::string scheduler;  // Its schedulerName.
  std::function<Result<kube::Child>(const kube::Server& server)> start;
};

struct Figures {
  double first = 0;   // Seconds from the start of the process.
  double rate = 0;    // Pods a second.
  double cpu = 0;     // Milliseconds for each pod.
  double memory = 0;  // Megabytes at most.
};

client::ResourcePath pods(const std::string& name = "") {
  return {.resource = {"", "v1", "pods"}, .ns = "default", .name = name};
}

client::ResourcePath nodes(const std::string& name = "") {
  return {.resource = {"", "v1", "nodes"}, .name = name};
}

std::string node_name(int i) { return fmt::format("node-{:05}", i); }
std::string pod_name(int i) { return fmt::format("pod-{:05}", i); }

Value node(int i) {
  return json::parse(fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{0}",
      "labels":{{"kubernetes.io/hostname":"{0}","topology.kubernetes.io/zone":"zone-{1}"}}}},
      "status":{{"capacity":{{"cpu":"32","memory":"256Gi","pods":"110"}},
      "allocatable":{{"cpu":"32","memory":"256Gi","pods":"110"}},
      "conditions":[{{"type":"Ready","status":"True","reason":"Bench"}}]}}}})",
                                 node_name(i), i % 10))
      .value();
}

Value pod(int i, const std::string& scheduler) {
  return json::parse(fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}",
      "labels":{{"app":"web"}}}},"spec":{{"schedulerName":"{}","containers":[{{"name":"c",
      "image":"registry.example.com/pause","resources":{{"requests":{{"cpu":"100m",
      "memory":"200Mi"}}}}}}]}}}})",
                                 pod_name(i), scheduler))
      .value();
}

// Sees pods get their nodes.
class Onlooker {
 public:
  explicit Onlooker(kube::BlockingApi& api) : api_(api) {
    api_.on_loop([&] {
      informer_ = std::make_unique<client::InformerService>(
          api_.env(), api_.api(),
          client::InformerSpec{.collection = pods(),
                               .projection = client::Projection::only({"spec.nodeName"})});
      informer_->add_handler([this](const client::Delta& delta) { note(delta.object()); });
      informer_->start();
    });
  }
  ~Onlooker() {
    api_.on_loop([&] { informer_.reset(); });
  }

  bool wait(int count) {
    return api_.eventually([&] { return static_cast<int>(bound_.size()) == count; }, 900s);
  }

  Clock::time_point first() const { return first_; }
  Clock::time_point last() const { return last_; }

 private:
  void note(const client::Object& pod) {
    const Value* node = pod.body().find_path({"spec", "nodeName"});
    if (!node || node->string_or_empty().empty()) return;
    if (!bound_.emplace(pod.uid()).second) return;
    last_ = Clock::now();
    if (bound_.size() == 1) first_ = last_;
  }

  kube::BlockingApi& api_;
  std::unique_ptr<client::InformerService> informer_;
  std::set<std::string> bound_;  // Uids.
  Clock::time_point first_;
  Clock::time_point last_;
};

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

Result<Figures> take_turn(kube::Server& server, kube::BlockingApi& api,
                          const Contestant& contestant, const Sizes& sizes) {
  bench::send_all(api, sizes.pods, [&](client::Api& to, int i, client::Done done) {
    to.create(pods(), pod(i, contestant.scheduler), {}, std::move(done));
  });
  Onlooker onlooker(api);
  const auto began = Clock::now();
  ASSIGN_OR_RETURN(kube::Child scheduler, contestant.start(server));
  if (!onlooker.wait(sizes.pods)) return failure(Code::Timeout, "not all pods are bound");
  std::this_thread::sleep_for(3s);  // Until its events are through.
  Figures figures{.first = seconds(onlooker.first() - began)};
  figures.rate = (sizes.pods - 1) / seconds(onlooker.last() - onlooker.first());
  figures.cpu = bench::cpu_seconds(scheduler.id()) * 1e3 / sizes.pods;
  figures.memory = bench::megabytes(scheduler.id(), "VmHWM");
  scheduler.stop();
  bench::send_all(api, sizes.pods, [](client::Api& to, int i, client::Done done) {
    to.remove(pods(pod_name(i)), {.grace_period_seconds = 0}, std::move(done));
  });
  return figures;
}

Result<kube::Child> start_berth(const kube::Server& server) {
  return kube::Child::start({kube::berth_program().string(), "scheduler", "--leader-elect=false",
                             "--kubeconfig=" + server.kubeconfig().string(),
                             "--health-probe-bind-address=0", "--metrics-bind-address=0"},
                            server.folder() / "scheduler.log");
}

// A rate of 0 leaves its own limits.
Result<kube::Child> start_kube_scheduler(const kube::Server& server, int rate) {
  const char* program = std::getenv("BERTH_KUBE_SCHEDULER");
  if (!program) return failure(Code::NotFound, "$BERTH_KUBE_SCHEDULER is not set");
  Value config = Value::object(
      {{"apiVersion", "kubescheduler.config.k8s.io/v1"}, {"kind", "KubeSchedulerConfiguration"}});
  config["clientConnection"]["kubeconfig"] = server.kubeconfig().string();
  if (rate > 0) {
    config["clientConnection"]["qps"] = rate;
    config["clientConnection"]["burst"] = rate;
  }
  config["leaderElection"]["leaderElect"] = false;
  const auto file = server.folder() / fmt::format("kube-scheduler-{}.json", rate);
  std::ofstream(file) << json::print(config);
  return kube::Child::start({program, "--config=" + file.string(), "--secure-port=0"},
                            server.folder() / "kube-scheduler.log");
}

Figures median(std::vector<Figures> all) {
  const auto middle = [&all](double Figures::* member) {
    std::ranges::sort(all, {}, member);
    return all[all.size() / 2].*member;
  };
  return {.first = middle(&Figures::first),
          .rate = middle(&Figures::rate),
          .cpu = middle(&Figures::cpu),
          .memory = middle(&Figures::memory)};
}

void print(const std::string& who, const Figures& figures) {
  std::puts(fmt::format("{:32} first bound after {:5.2f} s  then {:7.1f} pods/s  CPU {:7.3f} ms a "
                        "pod  peak memory {:6.1f} MB",
                        who, figures.first, figures.rate, figures.cpu, figures.memory)
                .c_str());
  std::fflush(stdout);
}

Status run(const Sizes& sizes) {
  ASSIGN_OR_RETURN(const auto server,
                   kube::Server::start({.flags = {"--enable-priority-and-fairness=false",
                                                  "--max-requests-inflight=3000",
                                                  "--max-mutating-requests-inflight=1000"}}));
  kube::BlockingApi api(server->kubeconfig(), {.rate = {.per_second = 0}});
  bench::send_all(api, sizes.nodes, [](client::Api& to, int i, client::Done done) {
    to.create(nodes(), node(i), {}, std::move(done));
  });
  bench::send_all(api, sizes.nodes, [](client::Api& to, int i, client::Done done) {
    // New nodes are tainted.
    to.patch(nodes(node_name(i)), json::parse(R"({"spec":{"taints":null}})").value(), {},
             std::move(done));
  });
  const Contestant contestants[] = {
      {"berth", "berth-scheduler", start_berth},
      {"kube-scheduler, raised limits", "default-scheduler",
       [](const kube::Server& its_server) { return start_kube_scheduler(its_server, 5000); }},
      {"kube-scheduler, as it is", "default-scheduler",
       [](const kube::Server& its_server) { return start_kube_scheduler(its_server, 0); }}};
  std::vector<std::vector<Figures>> all(std::size(contestants));
  for (int round = 0; round < sizes.rounds; ++round) {
    for (std::size_t i = 0; i < std::size(contestants); ++i) {
      ASSIGN_OR_RETURN(const Figures figures, take_turn(*server, api, contestants[i], sizes));
      print(fmt::format("  {} ({})", contestants[i].name, round + 1), figures);
      all[i].push_back(figures);
    }
    bench::print_load("after the round");
  }
  const Figures berth = median(all[0]);
  for (std::size_t i = 0; i < std::size(contestants); ++i) {
    const Figures other = median(all[i]);
    print(contestants[i].name, other);
    if (i == 0) continue;
    std::puts(fmt::format("{:32} berth: {:.2f} x its pods/s, {:.3f} x its CPU, {:.3f} x its memory",
                          "", berth.rate / other.rate, berth.cpu / other.cpu,
                          berth.memory / other.memory)
                  .c_str());
  }
  return {};
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  using namespace berth;
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const Sizes sizes{.pods = bench::number_at(arguments, 1, 2000),
                    .nodes = bench::number_at(arguments, 2, 1000),
                    .rounds = bench::number_at(arguments, 3, 3)};
  std::puts(fmt::format("{} pods of 100m and 200Mi onto {} nodes of 32 cpu and 256Gi, all there "
                        "before the scheduler starts; kube-apiserver, etcd (no fsync) and an "
                        "onlooker on the same machine; median of {} rounds by turns",
                        sizes.pods, sizes.nodes, sizes.rounds)
                .c_str());
  bench::print_load("before");
  const Status status = run(sizes);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status.ok() ? 0 : 1;
}
