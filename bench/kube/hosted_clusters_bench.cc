// How many requests for hosted clusters are assigned per second on a whole API server, and what
// does the controller need for that?
//
//   hosted_clusters_bench [REQUESTS [HOSTS]]
//
// All requests are created at once, 64 at a time, while `berth controllers --controllers hosting`
// runs; times are from the first creation to what a watch of the requests shows. Writes are the
// revisions of the server's store, events and ledgers included. On a second server a program makes
// as many writes to as many requests and does nothing else.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "client/informer_service.h"
#include "json/yaml_read.h"
#include "kube/hosting_hub.h"
#include "kube/measures.h"
#include "kube/waiting.h"

namespace berth {
namespace {

using bench::Clock;
using json::Value;

struct Sizes {
  int requests;
  int hosts;
};

client::ResourcePath requests() {
  return {.resource = kube::hosting_resource("hostedclusterrequests"), .ns = "tenant"};
}

std::string request_name(int i) { return fmt::format("r{:06}", i); }
std::string host_name(int i) { return fmt::format("host{:04}", i); }

Value request(int i) {
  return json::read_one_yaml(fmt::format(R"(
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {{name: {0}, namespace: tenant}}
spec:
  payload:
    hostedCluster:
      metadata: {{name: {0}}}
      spec: {{infraID: {0}-x, release: {{image: "example.com/release:4.18"}}, platform: {{type: Agent}}}}
    nodePools: [{{metadata: {{name: {0}-a}}, spec: {{replicas: 2}}}}]
)",
                                         request_name(i)))
      .value();
}

// What a watch of all requests shows.
class Progress {
 public:
  explicit Progress(kube::BlockingApi& api) : api_(api) {
    api_.on_loop([&] {
      informer_ = std::make_unique<client::InformerService>(
          api_.env(), api_.api(), client::InformerSpec{.collection = requests()});
      informer_->add_handler([this](const client::Delta& delta) { note(delta.object()); });
      informer_->start();
    });
  }
  ~Progress() {
    api_.on_loop([&] { informer_.reset(); });
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Seconds since then until so many have a host, or a work that is filled; 0: never.
  double assigned(Clock::time_point since, int count) { return seconds(assigned_, since, count); }
  double delivering(Clock::time_point since, int count) {
    return seconds(delivering_, since, count);
  }

 private:
  struct Seen {
    std::set<std::string> names = {};
    Clock::time_point last = {};
  };

  void note(const client::Object& object) {
    const Value& status = api::field(object.body(), "status");
    const auto add = [&](Seen& seen) {
      if (seen.names.emplace(object.name()).second) seen.last = Clock::now();
    };
    if (!api::text_field(status, "hostingCluster").empty()) add(assigned_);
    if (!api::text_field(status, "workUID").empty()) add(delivering_);
  }

  double seconds(const Seen& seen, Clock::time_point since, int count) {
    const auto all = static_cast<std::size_t>(count);
    if (!api_.eventually([&] { return seen.names.size() == all; }, std::chrono::seconds(1800))) {
      return 0;
    }
    double passed = 0;
    api_.on_loop([&] { passed = std::chrono::duration<double>(seen.last - since).count(); });
    return passed;
  }

  kube::BlockingApi& api_;
  std::unique_ptr<client::InformerService> informer_;
  Seen assigned_;
  Seen delivering_;
};

void create_requests(kube::BlockingApi& api, int count) {
  bench::send_all(api, count, [](client::Api& to, int i, client::Done done) {
    to.create(requests(), request(i), {}, std::move(done));
  });
}

std::int64_t revision(kube::BlockingApi& api) {
  const auto all = api.list({.resource = {"", "v1", "namespaces"}}, {.limit = 1});
  if (!all.ok()) return 0;
  return std::atoll(api::text_field(api::field(*all, "metadata"), "resourceVersion").c_str());
}

// Until next to nothing is written any more: events come late.
std::int64_t revision_at_rest(kube::BlockingApi& api) {
  std::int64_t last = revision(api);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    const std::int64_t now = revision(api);
    if (now - last < 5) return now;
    last = now;
  }
  return last;
}

// Answers how many writes each request took.
double measure(const Sizes& sizes) {
  const auto hub = kube::HostingHub::start();
  for (int i = 0; i < sizes.hosts; ++i) {
    hub->add_host({.name = host_name(i), .in_flight_max = sizes.requests});
  }
  hub->run();
  const bool is_ready = kube::wait_until(
      [&] { return hub->capacity(host_name(sizes.hosts - 1), "freeSlots").has_value(); });
  if (!is_ready) return 0;
  Progress progress(hub->api());
  const pid_t controller = hub->controllers().id();
  const pid_t server = hub->server().process().id();
  const double memory = bench::megabytes(controller, "VmRSS");
  const double cpu = bench::cpu_seconds(controller);
  const double server_cpu = bench::cpu_seconds(server);
  const std::int64_t before = revision(hub->api());
  const auto began = Clock::now();
  create_requests(hub->api(), sizes.requests);
  const double created = std::chrono::duration<double>(Clock::now() - began).count();
  const double assigned = progress.assigned(began, sizes.requests);
  const double delivering = progress.delivering(began, sizes.requests);
  const std::int64_t after = revision_at_rest(hub->api());
  const double writes = static_cast<double>(after - before) / sizes.requests;
  std::puts(fmt::format(
                "created in {:.1f} s; all assigned after {:.1f} s ({:.0f}/s), all works made after "
                "{:.1f} s ({:.0f}/s)\nwrites for each, its creation included: {:.1f}\ncontroller: "
                "CPU {:.2f} ms for each, memory {:.1f} MB before, {:.1f} MB at most\nserver: CPU "
                "{:.2f} ms for each",
                created, assigned, sizes.requests / assigned, delivering,
                sizes.requests / delivering, writes,
                (bench::cpu_seconds(controller) - cpu) * 1e3 / sizes.requests, memory,
                bench::megabytes(controller, "VmHWM"),
                (bench::cpu_seconds(server) - server_cpu) * 1e3 / sizes.requests)
                .c_str());
  std::fflush(stdout);
  return writes;
}

// As many writes, 64 at a time: each request is created, and then its status is changed.
void measure_writes_alone(const Sizes& sizes, int writes) {
  const auto hub = kube::HostingHub::start();
  const auto began = Clock::now();
  create_requests(hub->api(), sizes.requests);
  for (int round = 1; round < writes; ++round) {
    bench::send_all(hub->api(), sizes.requests, [round](client::Api& to, int i, client::Done done) {
      client::ResourcePath path = requests();
      path.name = request_name(i);
      path.subresource = "status";
      Value patch;
      patch["status"]["attempts"] = round;
      to.patch(path, patch, {}, std::move(done));
    });
  }
  const double passed = std::chrono::duration<double>(Clock::now() - began).count();
  std::puts(fmt::format("{} writes for each and nothing else: {:.1f} s ({:.0f} requests/s)", writes,
                        passed, sizes.requests / passed)
                .c_str());
}

int run(const Sizes& sizes) {
  bench::print_load("before");
  std::puts(fmt::format("{} requests over {} hosts", sizes.requests, sizes.hosts).c_str());
  const double writes = measure(sizes);
  if (writes == 0) return 1;
  measure_writes_alone(sizes, static_cast<int>(writes + 0.5));
  bench::print_load("after");
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  return berth::run({.requests = berth::bench::number_at(words, 1, 1000),
                     .hosts = berth::bench::number_at(words, 2, 50)});
}
