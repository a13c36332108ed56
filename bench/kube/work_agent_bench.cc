// What does an agent of ManifestWorks cost when it has many of them and nothing happens, beside
// OCM's own?
//
//   work_agent_bench [WORKS [SECONDS]]
//
// Each agent gets a server of its own, which is hub and cluster in one, with as many works of one
// ConfigMap and one Deployment with feedback. Measured are the time until all are applied and
// available, then memory and processor time over so many seconds in which nothing changes, of the
// agent and of the server that it asks.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "json/parse.h"
#include "kube/agents.h"
#include "kube/blocking_api.h"
#include "kube/crds.h"
#include "kube/measures.h"
#include "kube/ports.h"
#include "kube/server.h"

namespace berth {
namespace {

using namespace std::chrono_literals;
using bench::cpu_seconds;
using bench::megabytes;
using json::Value;

struct Sizes {
  int works;
  int seconds;
};

Value parsed(const std::string& text) { return json::parse(text).value(); }

client::ResourcePath works() {
  return {.resource = {"work.open-cluster-management.io", "v1", "manifestworks"}, .ns = "cluster1"};
}

Value work(int i) {
  return parsed(fmt::format(
      R"({{"apiVersion":"work.open-cluster-management.io/v1","kind":"ManifestWork",
          "metadata":{{"name":"work-{0}"}},"spec":{{
          "manifestConfigs":[{{"resourceIdentifier":{{"group":"apps","resource":"deployments",
            "namespace":"default","name":"web-{0}"}},"feedbackRules":[{{"type":"JSONPaths",
            "jsonPaths":[{{"name":"replicas","path":".spec.replicas"}}]}}]}}],
          "workload":{{"manifests":[
            {{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"web-{0}",
              "namespace":"default"}},"data":{{"text":"{1}"}}}},
            {{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web-{0}",
              "namespace":"default"}},"spec":{{"replicas":1,
              "selector":{{"matchLabels":{{"app":"web-{0}"}}}},
              "template":{{"metadata":{{"labels":{{"app":"web-{0}"}}}},"spec":{{"containers":[
                {{"name":"web","image":"registry.example.com/team/web:v1.2.3"}}]}}}}}}}}
          ]}}}}}})",
      i, std::string(512, 'x')));
}

struct Contestant {
  std::string name;
  std::function<Result<kube::Child>(kube::Server& server)> start;
};

struct Figures {
  double ready = 0;     // Seconds until all works are in place.
  double work_cpu = 0;  // Seconds of the agent until then.
  double memory = 0;
  double rest_cpu = 0;    // Seconds of the agent in an hour of rest.
  double server_cpu = 0;  // Of the server in that hour.
};

bool is_in_place(kube::BlockingApi& api, int count) {
  const auto all = api.list_all(works());
  if (!all.ok()) return false;
  int ready = 0;
  for (const Value& each : all->items) {
    const bool is_ready =
        api::is_condition_true(each, "Applied") && api::is_condition_true(each, "Available");
    ready += is_ready ? 1 : 0;
  }
  return ready == count;
}

Result<Figures> measure(const Contestant& contestant, const Sizes& sizes) {
  ASSIGN_OR_RETURN(const auto server,
                   kube::Server::start({.flags = {"--enable-priority-and-fairness=false"}}));
  RETURN_IF_ERROR(kube::apply_berth_crds(*server));
  kube::BlockingApi api(server->kubeconfig(), {.rate = {.per_second = 0}});
  (void)api.create(
      {.resource = {"", "v1", "namespaces"}},
      parsed(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"cluster1"}})"));
  bench::send_all(api, sizes.works, [](client::Api& to, int i, client::Done done) {
    to.create(works(), work(i), {}, std::move(done));
  });
  ASSIGN_OR_RETURN(kube::Child agent, contestant.start(*server));
  Figures figures;
  figures.ready = bench::wait_for([&] { return is_in_place(api, sizes.works); }, 600s);
  if (!is_in_place(api, sizes.works)) return failure(Code::Timeout, "not all works are in place");
  std::this_thread::sleep_for(20s);  // Until what was needed for the start is given back.
  figures.work_cpu = cpu_seconds(agent.id());
  figures.memory = megabytes(agent.id(), "VmRSS");
  const double server_before = cpu_seconds(server->process().id());
  std::this_thread::sleep_for(std::chrono::seconds(sizes.seconds));
  const double per_hour = 3600.0 / sizes.seconds;
  figures.rest_cpu = (cpu_seconds(agent.id()) - figures.work_cpu) * per_hour;
  figures.server_cpu = (cpu_seconds(server->process().id()) - server_before) * per_hour;
  if (!agent.running()) return failure(Code::Unknown, "the agent has ended");
  return figures;
}

void print(const std::string& name, const Figures& figures) {
  std::puts(fmt::format("{:12} all in place after {:6.2f} s  own CPU until then {:6.2f} s  memory "
                        "{:6.1f} MB  CPU at rest {:7.2f} s/h  the server's {:7.2f} s/h",
                        name, figures.ready, figures.work_cpu, figures.memory, figures.rest_cpu,
                        figures.server_cpu)
                .c_str());
  std::fflush(stdout);
}

Result<kube::Child> start_berth(kube::Server& server) {
  return kube::start_agent(server, {.cluster_name = "cluster1",
                                    .cluster = server.kubeconfig(),
                                    .hub = server.kubeconfig(),
                                    .flags = {"--parts=work", "--leader-elect=false"}});
}

// With the settings that its operator gives it.
Result<kube::Child> start_ocm(kube::Server& server) {
  const char* program = std::getenv("BERTH_OCM_WORK");
  if (!program) return failure(Code::NotFound, "$BERTH_OCM_WORK is not set");
  return kube::Child::start(
      {"env", "--chdir=" + server.folder().string(), program, "agent",
       "--kubeconfig=" + server.kubeconfig().string(),
       "--workload-source-config=" + server.kubeconfig().string(), "--spoke-cluster-name=cluster1",
       "--namespace=default", "--disable-leader-election",
       fmt::format("--listen=127.0.0.1:{}", kube::free_port())},
      server.folder() / "ocm-work.log");
}

int compare(const Sizes& sizes) {
  bench::print_load("before");
  std::puts(
      fmt::format("{} works of two objects, {} s of rest:", sizes.works, sizes.seconds).c_str());
  std::vector<Figures> all;
  for (const Contestant& contestant :
       {Contestant{"berth agent", start_berth}, Contestant{"OCM's", start_ocm}}) {
    const auto figures = measure(contestant, sizes);
    if (!figures.ok()) {
      std::fprintf(stderr, "%s: %s\n", contestant.name.c_str(), figures.error().message.c_str());
      return 1;
    }
    print(contestant.name, *figures);
    all.push_back(*figures);
  }
  std::puts(fmt::format("berth / OCM: memory {:.3f}, CPU at rest {:.3f}, the server's {:.3f}",
                        all[0].memory / all[1].memory, all[0].rest_cpu / all[1].rest_cpu,
                        all[0].server_cpu / all[1].server_cpu)
                .c_str());
  bench::print_load("after");
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  return berth::compare({.works = berth::bench::number_at(words, 1, 500),
                         .seconds = berth::bench::number_at(words, 2, 120)});
}
