#include "kube/pod_cluster.h"

#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kube/agents.h"
#include "kube/crds.h"

namespace berth::kube {

void PodCluster::start(const std::string& its_name, const std::string& controllers) {
  name = its_name;
  auto started = Server::start({.controllers = controllers});
  ASSERT_TRUE(started.ok()) << started.error().message;
  server = *std::move(started);
  caretaker = std::make_unique<Caretaker>(*server);
  api = std::make_unique<BlockingApi>(server->kubeconfig());
  make_ready_node(*api, {.name = "node1", .cpu = "24", .memory = "49265496Ki"});
  make_bound_pod(*api, {.name = "busy", .node = "node1", .cpu = "11500m", .memory = "1Gi"});
  keep(start_kubelet(*server));
}

void PodCluster::keep(Result<Child> program) {
  ASSERT_TRUE(program.ok()) << program.error().message;
  programs.push_back(*std::move(program));
}

void write_kubeconfig(std::span<const PodCluster> clusters, const std::string& prefix,
                      const std::filesystem::path& path) {
  std::string servers;
  std::string users;
  std::string contexts;
  for (const PodCluster& cluster : clusters) {
    const std::string entry = prefix + cluster.name;
    const std::string pki = (cluster.server->folder() / "pki").string();
    servers += fmt::format(
        "- name: {0}\n  cluster: {{server: '{1}', certificate-authority: '{2}/ca.crt'}}\n", entry,
        cluster.server->url(), pki);
    users += fmt::format(
        "- name: {0}\n  user: {{client-certificate: '{1}/admin.crt', client-key: "
        "'{1}/admin.key'}}\n",
        entry, pki);
    contexts += fmt::format("- name: {0}\n  context: {{cluster: {0}, user: {0}}}\n", entry);
  }
  std::ofstream(path) << "apiVersion: v1\nkind: Config\nclusters:\n"
                      << servers << "users:\n"
                      << users << "contexts:\n"
                      << contexts;
}

}  // namespace berth::kube
