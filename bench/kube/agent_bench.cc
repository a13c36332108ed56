// What does the agent that publishes a cluster's room cost, beside a plain client-go program that
// does the reference's job?
//
//   agent_bench [NODES [PODS [CHANGES]]]
//
// Starts a real server, which is the cluster and its hub, and measures Berth's agent, with all its
// parts, on it while it is empty. Then fills it and runs both agents one after the other: memory
// when all is read, processor time for so many changes of pods, time from a change until the score
// is on the hub. The other program sums up every 60 seconds, as the reference does; its time to a
// score is that of one change.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/add_on_placement_score.h"
#include "json/parse.h"
#include "kube/agents.h"
#include "kube/blocking_api.h"
#include "kube/crds.h"
#include "kube/measures.h"
#include "kube/server.h"

namespace berth {
namespace {

using namespace std::chrono_literals;
using bench::Clock;
using bench::cpu_seconds;
using bench::load_average;
using bench::megabytes;
using bench::send_all;
using bench::wait_for;
using json::Value;

constexpr int kNodeCores = 32;
constexpr int kBigCores = 20'000;  // Of one node whose pods change the score.

struct Sizes {
  int nodes;
  int pods;
  int changes;

  int cores() const { return nodes * kNodeCores + kBigCores; }
};

Value parsed(const std::string& text) { return json::parse(text).value(); }

client::ResourcePath nodes() { return {.resource = {"", "v1", "nodes"}}; }
client::ResourcePath pods(std::string name = {}) {
  return {.resource = {"", "v1", "pods"}, .ns = "default", .name = std::move(name)};
}

// As a Deployment's pods are: two containers with settings that an agent does not read.
Value pod(const std::string& name, const std::string& node, const std::string& cpu) {
  std::string settings;
  for (int i = 0; i < 12; ++i) {
    settings += fmt::format(R"({}{{"name":"SETTING_{}","value":"value-of-setting-{}"}})",
                            i == 0 ? "" : ",", i, i);
  }
  return parsed(fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}","labels":{{"app":"bench",
          "pod-template-hash":"7d9c5b8f6d"}}}},"spec":{{"nodeName":"{1}","containers":[
          {{"name":"service","image":"registry.example.com/team/service:v1.2.3","env":[{3}],
            "resources":{{"requests":{{"cpu":"{2}","memory":"128Mi"}}}}}},
          {{"name":"proxy","image":"registry.example.com/team/proxy:v4.5.6","env":[{3}],
            "resources":{{"requests":{{"cpu":"10m","memory":"16Mi"}}}}}}]}}}})",
      name, node, cpu, settings));
}

std::string node_name(int i) { return fmt::format("node-{}", i); }

void fill(kube::BlockingApi& api, const Sizes& sizes) {
  const auto cores = [&](int i) { return i == sizes.nodes ? kBigCores : kNodeCores; };
  send_all(api, sizes.nodes + 1, [](client::Api& to, int i, client::Done done) {
    Value node = Value::object({{"apiVersion", "v1"}, {"kind", "Node"}});
    node["metadata"]["name"] = node_name(i);
    to.create(nodes(), node, {}, std::move(done));
  });
  send_all(api, sizes.nodes + 1, [](client::Api& to, int i, client::Done done) {
    client::ResourcePath path = nodes();
    path.name = node_name(i);
    to.patch(path, parsed(R"({"spec":{"taints":null}})"), {}, std::move(done));
  });
  send_all(api, sizes.nodes + 1, [&](client::Api& to, int i, client::Done done) {
    client::ResourcePath path = nodes();
    path.name = node_name(i);
    path.subresource = "status";
    to.patch(path,
             parsed(fmt::format(R"({{"status":{{"allocatable":{{"cpu":"{}","memory":"128Gi",
                 "pods":"110"}},"conditions":[{{"type":"Ready","status":"True","reason":"Bench"}}
                 ]}}}})",
                                cores(i))),
             {}, std::move(done));
  });
  send_all(api, sizes.pods, [&](client::Api& to, int i, client::Done done) {
    to.create(pods(), pod(fmt::format("service-{:05}", i), node_name(i % sizes.nodes), "100m"), {},
              std::move(done));
  });
}

std::optional<int> cpu_score(kube::BlockingApi& api, const std::string& name) {
  const auto object = api.get(
      {.resource = {"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"},
       .ns = "cluster1",
       .name = name});
  if (!object.ok()) return std::nullopt;
  for (const auto& score : api::read_add_on_placement_score(*object).scores) {
    if (score.name == "cpuAvailable") return score.value;
  }
  return std::nullopt;
}

struct Contestant {
  std::string name;
  std::string score_name;
  std::function<Result<kube::Child>()> start;
  int samples;
};

// A pod on the big node comes and goes; how long from the request until the score says so.
double change_to_score(kube::BlockingApi& api, const Contestant& contestant, const Sizes& sizes) {
  const auto before = cpu_score(api, contestant.score_name);
  const auto differs = [&] { return cpu_score(api, contestant.score_name) != before; };
  const std::string cores = std::to_string(kBigCores / 2);
  const auto began = Clock::now();
  (void)api.create(pods(), pod("big", node_name(sizes.nodes), cores));
  wait_for(differs, 90s);
  const double took = std::chrono::duration<double>(Clock::now() - began).count();
  (void)api.remove(pods("big"), {.grace_period_seconds = 0});
  if (contestant.samples == 1) return took;
  wait_for([&] { return cpu_score(api, contestant.score_name) == before; }, 90s);
  std::this_thread::sleep_for(1500ms);  // A change soon after another waits for its turn.
  return took;
}

// Half of them new pods, half of them deletions of these.
void change_pods(kube::BlockingApi& api, const Sizes& sizes) {
  const int half = sizes.changes / 2;
  const auto name = [](int i) { return fmt::format("changing-{}", i); };
  send_all(api, half, [&](client::Api& to, int i, client::Done done) {
    to.create(pods(), pod(name(i), node_name(i % sizes.nodes), "100m"), {}, std::move(done));
  });
  send_all(api, half, [&](client::Api& to, int i, client::Done done) {
    to.remove(pods(name(i)), {.grace_period_seconds = 0}, std::move(done));
  });
}

// Megabytes: all that is resident, and what of it is not pages of files, which are code that every
// other process of the same program shares.
struct Memory {
  double all = 0;
  double own = 0;
};

Memory memory_of(pid_t process) {
  return {.all = megabytes(process, "VmRSS"), .own = megabytes(process, "RssAnon")};
}

// What one of them cost.
struct Figures {
  double first_score = 0;      // Seconds from its start.
  double start_cpu = 0;        // Seconds of its own until it came to rest.
  Memory steady = {};          // At rest.
  Memory after = {};           // After the changes.
  double peak = 0;             // Megabytes.
  double changes_cpu = 0;      // Seconds for 1,000 changes.
  double change_to_score = 0;  // Seconds, the median.
};

std::optional<Figures> measure(kube::BlockingApi& api, const Contestant& contestant,
                               const Sizes& sizes) {
  auto child = contestant.start();
  if (!child.ok()) {
    std::fprintf(stderr, "%s: %s\n", contestant.name.c_str(), child.error().message.c_str());
    return std::nullopt;
  }
  Figures figures;
  const auto has_score = [&] { return cpu_score(api, contestant.score_name).has_value(); };
  figures.first_score = wait_for(has_score, 300s);
  std::this_thread::sleep_for(5s);  // Until what was needed for the start is given back.
  figures.start_cpu = cpu_seconds(child->id());
  figures.steady = memory_of(child->id());
  change_pods(api, sizes);
  std::this_thread::sleep_for(3s);
  figures.changes_cpu = (cpu_seconds(child->id()) - figures.start_cpu) * 1000 / sizes.changes;
  figures.after = memory_of(child->id());
  figures.peak = megabytes(child->id(), "VmHWM");
  std::vector<double> times;
  for (int i = 0; i < contestant.samples; ++i) {
    times.push_back(change_to_score(api, contestant, sizes));
  }
  std::ranges::sort(times);
  figures.change_to_score = times[times.size() / 2];
  return figures;
}

void print_row(const char* what, const char* format, const std::vector<Figures>& all,
               const std::function<double(const Figures&)>& figure) {
  std::string line = fmt::format("| {:44} |", what);
  for (const Figures& figures : all) {
    line += fmt::format(" {:>12} |", fmt::format(fmt::runtime(format), figure(figures)));
  }
  if (all.size() == 2) line += fmt::format(" {:6.1f} |", figure(all[1]) / figure(all[0]));
  std::puts(line.c_str());
}

void print_table(const std::vector<Figures>& all) {
  std::puts(
      "|                                              |  berth agent |    client-go |  ratio |");
  std::puts(
      "|----------------------------------------------|-------------:|-------------:|-------:|");
  using F = const Figures&;
  const char* megabytes = "{:.1f} MB";
  print_row("memory at rest", megabytes, all, [](F f) { return f.steady.all; });
  print_row("- of its own", megabytes, all, [](F f) { return f.steady.own; });
  print_row("memory after the changes", megabytes, all, [](F f) { return f.after.all; });
  print_row("- of its own", megabytes, all, [](F f) { return f.after.own; });
  print_row("memory, peak", megabytes, all, [](F f) { return f.peak; });
  print_row("CPU per 1,000 changes of pods", "{:.3f} s", all, [](F f) { return f.changes_cpu; });
  print_row("from a change to the score on the hub", "{:.3f} s", all,
            [](F f) { return f.change_to_score; });
  print_row("from the start to the first score", "{:.2f} s", all,
            [](F f) { return f.first_score; });
  print_row("CPU until then and at rest", "{:.2f} s", all, [](F f) { return f.start_cpu; });
}

// On a cluster without nodes and pods.
struct Idle {
  Memory memory = {};
  double cpu = 0;  // Seconds, in kIdleTime.
  std::map<std::string, bench::FilePages> files = {};
};

constexpr std::chrono::seconds kIdleTime{65};  // A score is refreshed once.
constexpr double kWorthARow = 0.3;             // Megabytes.

Idle idle_agent(kube::BlockingApi& api, const std::function<Result<kube::Child>()>& start) {
  auto agent = start();
  if (!agent.ok()) return {};
  wait_for([&] { return cpu_score(api, "idle").has_value(); }, 60s);
  std::this_thread::sleep_for(3s);
  bench::forget_touches(agent->id());
  const double cpu_before = cpu_seconds(agent->id());
  std::this_thread::sleep_for(kIdleTime);
  return {.memory = memory_of(agent->id()),
          .cpu = cpu_seconds(agent->id()) - cpu_before,
          .files = bench::file_pages(agent->id())};
}

void print_idle(const Idle& idle) {
  std::puts(fmt::format("\nberth agent on an empty cluster: {:.1f} MB; {:.3f} s of CPU in {} s",
                        idle.memory.all, idle.cpu, kIdleTime.count())
                .c_str());
  std::puts("| memory of                 | resident | touched meanwhile |");
  std::puts("|---------------------------|---------:|------------------:|");
  std::puts(fmt::format("| {:25} | {:5.1f} MB |                   |", "its own", idle.memory.own)
                .c_str());
  const auto row = [](const std::string& what, const bench::FilePages& pages) {
    std::puts(
        fmt::format("| {:25} | {:5.1f} MB | {:14.1f} MB |", what, pages.resident, pages.touched)
            .c_str());
  };
  bench::FilePages small;
  for (const auto& [file, pages] : idle.files) {
    if (pages.resident >= kWorthARow) {
      row(file, pages);
    } else {
      small.resident += pages.resident;
      small.touched += pages.touched;
    }
  }
  row("other files", small);
}

int compare(const Sizes& sizes) {
  auto server = kube::Server::start(
      {.flags = {"--enable-priority-and-fairness=false", "--max-requests-inflight=3000",
                 "--max-mutating-requests-inflight=1000"}});
  if (!server.ok() || !kube::apply_berth_crds(**server).ok()) {
    std::fprintf(stderr, "no server\n");
    return 1;
  }
  const std::filesystem::path kubeconfig = (*server)->kubeconfig();
  kube::BlockingApi api(kubeconfig, {.rate = {.per_second = 0}});
  (void)api.create(
      {.resource = {"", "v1", "namespaces"}},
      parsed(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"cluster1"}})"));
  const auto berth = [&](const std::string& score_name) {
    return kube::start_agent(**server,
                             {.cluster_name = "cluster1",
                              .cluster = kubeconfig,
                              .hub = kubeconfig,
                              .flags = {"--score-name=" + score_name, "--score-change-interval=1s",
                                        fmt::format("--resource=cpu,max={}", sizes.cores())}});
  };
  const double load_before = load_average();
  const Idle idle = idle_agent(api, [&] { return berth("idle"); });
  fill(api, sizes);
  std::vector<Contestant> contestants = {
      {"berth agent", "berth", [&] { return berth("berth"); }, 5}};
  if (const char* peer = std::getenv("BERTH_USAGE")) {
    contestants.push_back({"client-go", "client-go",
                           [&, peer] {
                             return kube::Child::start({peer, kubeconfig.string(), "cluster1",
                                                        "client-go", std::to_string(sizes.cores())},
                                                       (*server)->folder() / "client-go.log");
                           },
                           1});
  }
  std::vector<Figures> all;
  for (const Contestant& contestant : contestants) {
    const auto figures = measure(api, contestant, sizes);
    if (!figures) return 1;
    all.push_back(*figures);
  }
  std::puts(
      fmt::format(
          "{} nodes, {} pods with 2 containers, {} changes of pods; {} cores, load {:.1f} before, "
          "{:.1f} after",
          sizes.nodes, sizes.pods, sizes.changes, std::thread::hardware_concurrency(), load_before,
          load_average())
          .c_str());
  print_table(all);
  print_idle(idle);
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  return berth::compare({.nodes = berth::bench::number_at(words, 1, 5000),
                         .pods = berth::bench::number_at(words, 2, 20'000),
                         .changes = berth::bench::number_at(words, 3, 5000)});
}
