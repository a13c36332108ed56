// How much time and memory does a cache of 20,000 pods cost, beside client-go's?
//
//   informer_bench [PODS [ROUNDS]]       starts a real server, fills it, runs both by turns
//   informer_bench probe KUBECONFIG MODE one process with one cache; prints what it cost
//   informer_bench serve [PODS]          only the server, filled, until its input ends: to look
//   closer
//
// MODE is "scheduling" (a cache of what schedulers and score agents read of a pod), "everything"
// (all but managedFields), or "json" (the same, but not as protobuf). Client-go's typed clients ask
// for protobuf, its informers for a watch with initial events; so do ours. A watch is not
// compressed.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include "client/informer_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth {
namespace {

using json::Value;

const client::ResourcePath kPods = {.resource = {.version = "v1", .resource = "pods"}};

// What a scheduler or a score agent reads of a pod.
client::Projection scheduling_fields() {
  return client::Projection::only(
      {"metadata.labels", "metadata.ownerReferences", "spec.nodeName", "spec.schedulerName",
       "spec.priority", "spec.containers[].resources", "spec.initContainers[].resources",
       "spec.initContainers[].restartPolicy", "spec.overhead", "spec.resources", "status.phase"});
}

double resident_megabytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":"))
      return std::strtod(line.c_str() + name.size() + 1, nullptr) / 1024;
  }
  return 0;
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

client::InformerSpec spec_of(const std::string& mode) {
  client::InformerSpec spec{.collection = kPods};
  if (mode == "scheduling") spec.projection = scheduling_fields();
  if (mode == "json") spec.wire = client::WireFormat::Json;
  return spec;
}

int probe(const std::string& kubeconfig, const std::string& mode) {
  const auto start = std::chrono::steady_clock::now();
  kube::BlockingApi api(kubeconfig, {.rate = {.per_second = 0}});
  std::unique_ptr<client::InformerService> informer;
  api.on_loop([&] {
    informer = std::make_unique<client::InformerService>(api.env(), api.api(), spec_of(mode));
    informer->start();
  });
  const bool synced =
      api.eventually([&] { return informer->has_synced(); }, std::chrono::seconds(120));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double cpu = cpu_seconds();
  const double peak = resident_megabytes("VmHWM");
  ::malloc_trim(0);
  std::size_t objects = 0;
  api.on_loop([&] { objects = informer->store().size(); });
  const Value result = Value::object({{"objects", objects},
                                      {"seconds", took.count()},
                                      {"cpu", cpu},
                                      {"peakMB", peak},
                                      {"steadyMB", resident_megabytes("VmRSS")}});
  std::puts(json::print(result).c_str());
  api.on_loop([&] { informer.reset(); });
  return synced ? 0 : 1;
}

Value container(int number) {
  Value env = Value::array();
  for (int i = 0; i < 12; ++i) {
    env.push_back(
        Value::object({{"name", fmt::format("SETTING_{}", i)},
                       {"value", fmt::format("value-of-setting-{}-in-container-{}", i, number)}}));
  }
  return Value::object(
      {{"name", fmt::format("container-{}", number)},
       {"image", fmt::format("registry.example.com/team/service-{}:v1.{}.0", number, number)},
       {"args", Value::array({"--listen=0.0.0.0:8080", "--config=/etc/service/config.yaml",
                              "--log-level=info"})},
       {"env", std::move(env)},
       {"resources",
        Value::object({{"requests", Value::object({{"cpu", "100m"}, {"memory", "128Mi"}})},
                       {"limits", Value::object({{"memory", "256Mi"}})}})}});
}

Value pod(int number) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Pod"},
       {"metadata",
        Value::object(
            {{"name", fmt::format("service-{}-7d9c5b8f6d-{:05}", number % 200, number)},
             {"labels", Value::object({{"app", fmt::format("service-{}", number % 200)},
                                       {"app.kubernetes.io/part-of", "bench"},
                                       {"pod-template-hash", "7d9c5b8f6d"}})},
             {"annotations", Value::object({{"example.com/checksum", std::string(64, 'a')}})}})},
       {"spec", Value::object({{"containers", Value::array({container(1), container(2)})},
                               {"nodeName", fmt::format("node-{}", number % 500)}})}});
}

// Creates pods, some at a time: a server has a minute for each request.
class Filler {
 public:
  Filler(client::Api& api, int pods) : api_(api), pods_(pods) {
    for (int i = 0; i < kInFlight; ++i) create_next();
  }

  bool is_done() const { return answered_ == std::min(created_, pods_); }
  const std::string& error() const { return error_; }

 private:
  static constexpr int kInFlight = 256;

  void create_next() {
    if (created_ == pods_ || !error_.empty()) return;
    client::ResourcePath path = kPods;
    path.ns = "default";
    api_.create(path, pod(created_++), {}, [this](const Result<Value>& answer) {
      ++answered_;
      if (!answer.ok()) error_ = answer.error().message;
      create_next();
    });
  }

  client::Api& api_;
  int pods_;
  int created_ = 0;
  int answered_ = 0;
  std::string error_ = {};
};

// A server with so many pods; null after saying why not.
std::unique_ptr<kube::Server> filled_server(int pods) {
  auto server = kube::Server::start(
      {.flags = {"--enable-priority-and-fairness=false", "--max-requests-inflight=3000",
                 "--max-mutating-requests-inflight=1000"}});
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return nullptr;
  }
  std::unique_ptr<Filler> filler;  // Outlives the calls that answer to it.
  kube::BlockingApi api((*server)->kubeconfig(), {.rate = {.per_second = 0}});
  api.on_loop([&] { filler = std::make_unique<Filler>(api.api(), pods); });
  const bool done = api.eventually([&] { return filler->is_done(); }, std::chrono::seconds(600));
  if (!filler->error().empty()) std::fprintf(stderr, "%s\n", filler->error().c_str());
  return done && filler->error().empty() ? *std::move(server) : nullptr;
}

int serve(int pods) {
  const auto server = filled_server(pods);
  if (!server) return 1;
  std::puts(server->kubeconfig().c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}

// What a command printed, read as JSON; null when that does not work.
Value answer_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return {};
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
    text += static_cast<char>(byte);
  }
  const bool good = ::pclose(pipe) == 0;
  auto parsed = json::parse(text);
  return good && parsed.ok() ? *std::move(parsed) : Value();
}

struct Contestant {
  std::string name;
  std::string command;
  std::map<std::string, std::vector<double>> results = {};
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

bool run(Contestant& contestant, int pods) {
  const Value answer = answer_of(contestant.command);
  const Value* objects = answer.find("objects");
  if (!objects || objects->as_int() != pods) {
    std::fprintf(stderr, "%s has %s\n", contestant.name.c_str(), json::print(answer).c_str());
    return false;
  }
  for (const char* what : {"seconds", "cpu", "peakMB", "steadyMB"}) {
    contestant.results[what].push_back(answer.find(what)->as_double().value_or(0));
  }
  return true;
}

void print_medians(const std::vector<Contestant>& contestants) {
  for (const Contestant& contestant : contestants) {
    const auto& results = contestant.results;
    const auto [least, most] = std::ranges::minmax(results.at("seconds"));
    std::puts(
        fmt::format("{:32} {:5.2f} s ({:.2f}-{:.2f})  own CPU {:5.2f} s  peak {:6.1f} MB  steady "
                    "{:6.1f} MB",
                    contestant.name, median(results.at("seconds")), least, most,
                    median(results.at("cpu")), median(results.at("peakMB")),
                    median(results.at("steadyMB")))
            .c_str());
  }
}

int compare(const char* self, int pods, int rounds) {
  const auto server = filled_server(pods);
  if (!server) return 1;
  const std::string kubeconfig = server->kubeconfig().string();
  std::vector<Contestant> contestants;
  for (const char* mode : {"scheduling", "everything", "json"}) {
    contestants.push_back({.name = fmt::format("berth, {}", mode),
                           .command = fmt::format("{} probe {} {}", self, kubeconfig, mode)});
  }
  if (const char* oracle = std::getenv("BERTH_ORACLE")) {
    contestants.push_back({.name = "client-go, typed, as it comes",
                           .command = fmt::format("{} informer {}", oracle, kubeconfig)});
  }
  double load[1] = {0};
  ::getloadavg(load, 1);
  std::puts(
      fmt::format("{} pods on kube-apiserver, both sides on {} cores (load before: {:.1f}); a "
                  "fresh process each, by turns, {} rounds; medians (least-most):",
                  pods, std::thread::hardware_concurrency(), load[0], rounds)
          .c_str());
  for (int round = 0; round < rounds; ++round) {
    for (Contestant& contestant : contestants) {
      if (!run(contestant, pods)) return 1;
    }
  }
  print_medians(contestants);
  ::getloadavg(load, 1);
  std::puts(fmt::format("load after: {:.1f}", load[0]).c_str());
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "20000";
  if (first == "probe") return argc == 4 ? berth::probe(argv[2], argv[3]) : 2;
  if (first == "serve") return berth::serve(argc > 2 ? std::atoi(argv[2]) : 20000);
  return berth::compare(argv[0], std::atoi(first.c_str()), argc > 2 ? std::atoi(argv[2]) : 5);
}
