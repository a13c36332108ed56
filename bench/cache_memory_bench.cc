// What one pod costs in a cache: the whole object, what a scheduler reads of it as a Value, and the
// same as printed JSON. Time is that of making it from the parsed object; bytes are what the
// allocator gave for 20,000 pods, the store's own nodes included.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "client/object.h"
#include "client/projection.h"
#include "client/store.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::client {
namespace {

constexpr int kPods = 20'000;

// As a Deployment's pod looks on a server: one container, a token volume, conditions,
// managedFields.
json::Value pod(int number) {
  json::Value object = json::parse(R"({"apiVersion":"v1","kind":"Pod","metadata":{
    "generateName":"web-6d4cf56db6-","namespace":"shop","creationTimestamp":"2026-01-01T00:00:00Z",
    "labels":{"app":"web","pod-template-hash":"6d4cf56db6","app.kubernetes.io/part-of":"shop"},
    "annotations":{"prometheus.io/scrape":"true"},
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-6d4cf56db6",
      "uid":"0a1b2c3d-1111-2222-3333-444455556666","controller":true,"blockOwnerDeletion":true}],
    "managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1",
      "time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{
      "f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}}},"f:spec":{
      "f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:name":{},"f:resources":{}}}}}}]},
    "spec":{"volumes":[{"name":"token","projected":{"sources":[{"serviceAccountToken":{
      "expirationSeconds":3607,"path":"token"}}],"defaultMode":420}}],
    "containers":[{"name":"web","image":"registry.example/shop/web:1.2.3","ports":[
      {"containerPort":8080,"protocol":"TCP"}],"env":[{"name":"MODE","value":"production"}],
      "resources":{"requests":{"cpu":"250m","memory":"256Mi"},"limits":{"memory":"512Mi"}},
      "volumeMounts":[{"name":"token","readOnly":true,"mountPath":"/var/run/secrets"}],
      "imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log"}],
    "restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",
    "serviceAccountName":"web","schedulerName":"default-scheduler","priority":0,
    "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",
      "tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",
      "effect":"NoExecute","tolerationSeconds":300}]},
    "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True",
      "lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"PodScheduled","status":"True",
      "lastTransitionTime":"2026-01-01T00:00:00Z"}],"hostIP":"10.0.0.1","podIP":"10.1.0.1",
      "containerStatuses":[{"name":"web","ready":true,"restartCount":0,
      "image":"registry.example/shop/web:1.2.3","state":{"running":{}}}],"qosClass":"Burstable"}})")
                           .value();
  const std::string id = std::to_string(number);
  object["metadata"]["name"] = "web-6d4cf56db6-" + id;
  object["metadata"]["uid"] = "0a1b2c3d-1111-2222-3333-" + std::to_string(100'000'000'000 + number);
  object["metadata"]["resourceVersion"] = std::to_string(1'000'000 + number);
  object["spec"]["nodeName"] = "node-" + std::to_string(number % 5000);
  return object;
}

Projection scheduler() {
  return Projection::only(
      {"metadata.labels", "metadata.ownerReferences", "spec.nodeName", "spec.schedulerName",
       "spec.priority", "spec.nodeSelector", "spec.affinity", "spec.tolerations",
       "spec.topologySpreadConstraints", "spec.overhead", "spec.containers[].resources",
       "spec.containers[].ports", "spec.initContainers[].resources",
       "spec.initContainers[].restartPolicy", "status.phase", "status.nominatedNodeName"});
}

Projection usage() {
  return Projection::only({"spec.nodeName", "spec.overhead", "spec.containers[].resources",
                           "spec.initContainers[].resources", "status.phase"});
}

std::size_t allocated() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

void fill_store(benchmark::State& state, const Projection& projection) {
  for (auto _ : state) {
    state.PauseTiming();
    const std::size_t before = allocated();
    {
      Store store;
      for (int i = 0; i < kPods; ++i) {
        json::Value document = pod(i);
        state.ResumeTiming();
        auto object = make_object(std::move(document), projection).value();
        state.PauseTiming();
        store.put(std::move(object));
      }
      state.counters["bytes_per_pod"] = static_cast<double>(allocated() - before) / kPods;
    }
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kPods);
}

void whole_object(benchmark::State& state) { fill_store(state, Projection::without({})); }
void scheduler_value(benchmark::State& state) { fill_store(state, scheduler()); }
void usage_value(benchmark::State& state) { fill_store(state, usage()); }

// The alternative: printed JSON, parsed again by whoever reads it.
void scheduler_text(benchmark::State& state) {
  const Projection projection = scheduler();
  for (auto _ : state) {
    state.PauseTiming();
    const std::size_t before = allocated();
    {
      std::vector<std::string> texts;
      texts.reserve(kPods);
      for (int i = 0; i < kPods; ++i) {
        json::Value document = pod(i);
        state.ResumeTiming();
        std::string text = json::print(projection.apply(std::move(document)));
        text.shrink_to_fit();
        state.PauseTiming();
        texts.push_back(std::move(text));
      }
      state.counters["bytes_per_pod"] = static_cast<double>(allocated() - before) / kPods;
    }
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kPods);
}

void read_text(benchmark::State& state) {
  const std::string text = json::print(scheduler().apply(pod(1)));
  json::Parser parser;
  for (auto _ : state) benchmark::DoNotOptimize(parser.parse(text));
}

BENCHMARK(whole_object)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(scheduler_value)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(scheduler_text)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(usage_value)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(read_text);

}  // namespace
}  // namespace berth::client
