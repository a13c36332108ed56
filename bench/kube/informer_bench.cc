// How much time and memory does a cache of 20,000 pods cost, beside client-go's?
//
//   informer_bench [PODS]              starts a real server, fills it, runs both by turns
//   informer_bench probe KUBECONFIG MODE   one process with one cache; prints what it cost
//   informer_bench serve [PODS]        only the server, filled, until its input ends: to look closer

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <malloc.h>

#include "client/informer_service.h"
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

int probe(const std::string& kubeconfig, const std::string& mode) {
  const auto start = std::chrono::steady_clock::now();
  kube::BlockingApi api(kubeconfig, {.rate = {.per_second = 0}});
  std::unique_ptr<client::InformerService> informer;
  api.on_loop([&] {
    client::InformerSpec spec{.collection = kPods};
    if (mode == "scheduling") spec.projection = scheduling_fields();
    informer = std::make_unique<client::InformerService>(api.env(), api.api(), std::move(spec));
    informer->start();
  });
  const bool synced =
      api.eventually([&] { return informer->has_synced(); }, std::chrono::seconds(120));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double peak = resident_megabytes("VmHWM");
  ::malloc_trim(0);
  std::size_t objects = 0;
  api.on_loop([&] { objects = informer->store().size(); });
  std::puts(fmt::format("berth, {:10}  {:6} pods  {:6.2f} s  peak {:6.1f} MB  steady {:6.1f} MB",
                        mode, objects, took.count(), peak, resident_megabytes("VmRSS"))
                .c_str());
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

bool fill(kube::BlockingApi& api, int pods) {
  int answered = 0;
  int failed = 0;
  std::string error;
  api.on_loop([&] {
    for (int i = 0; i < pods; ++i) {
      client::ResourcePath path = kPods;
      path.ns = "default";
      api.api().create(path, pod(i), {}, [&](const Result<Value>& answer) {
        ++answered;
        if (!answer.ok()) {
          ++failed;
          error = answer.error().message;
        }
      });
    }
  });
  const bool done = api.eventually([&] { return answered == pods; }, std::chrono::seconds(600));
  if (failed > 0) std::fprintf(stderr, "%d creates failed: %s\n", failed, error.c_str());
  return done && failed == 0;
}

// A server with so many pods; null after saying why not.
std::unique_ptr<kube::Server> filled_server(int pods) {
  auto server = kube::Server::start(
      {.flags = {"--enable-priority-and-fairness=false", "--max-requests-inflight=3000",
                 "--max-mutating-requests-inflight=1000"}});
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return nullptr;
  }
  kube::BlockingApi api((*server)->kubeconfig(), {.rate = {.per_second = 0},
                                                  .call = {.timeout = std::chrono::minutes(10)}});
  return fill(api, pods) ? *std::move(server) : nullptr;
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

int compare(const char* self, int pods) {
  const auto server = filled_server(pods);
  if (!server) return 1;
  const std::string kubeconfig = server->kubeconfig().string();
  std::puts(
      fmt::format("{} pods on kube-apiserver, a fresh process each, by turns:", pods).c_str());
  std::fflush(stdout);
  const char* oracle = std::getenv("BERTH_ORACLE");
  for (int round = 0; round < 3; ++round) {
    for (const char* mode : {"scheduling", "everything"}) {
      if (std::system(fmt::format("{} probe {} {}", self, kubeconfig, mode).c_str()) != 0) return 1;
    }
    if (oracle &&
        std::system(
            fmt::format("{} informer {} | tr -d '\\n'; echo", oracle, kubeconfig).c_str()) != 0) {
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "20000";
  if (first == "probe") return argc == 4 ? berth::probe(argv[2], argv[3]) : 2;
  if (first == "serve") return berth::serve(argc > 2 ? std::atoi(argv[2]) : 20000);
  return berth::compare(argv[0], std::atoi(first.c_str()));
}
