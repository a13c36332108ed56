// berth kubelet: runs the pods of a cluster whose nodes exist on paper only.

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command.h"
#include "app/hub_flags.h"
#include "app/kubelet_program.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "app/operations_flags.h"
#include "app/shipped_image.h"

namespace berth::app {
namespace {

struct KubeletFlags {
  HubFlags cluster = {};
  std::string image = shipped_image().name;
  std::string data_dir = {};
  std::vector<std::string> nodes = {};
  bool makes_pods = false;
  bool binds_pods = false;
  OperationsFlags operations = {};
  LogFlags log = {};
};

// Containers of our image run this very program.
Result<std::string> own_program() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return failure(Code::InternalError, "cannot find this program: " + error.message());
  }
  return path.string();
}

Result<KubeletSettings> settings_of(const KubeletFlags& flags, env::Env& env) {
  ASSIGN_OR_RETURN(client::ClientConfig cluster, load_hub_config(flags.cluster, env));
  KubeletSettings settings{.cluster = std::move(cluster),
                           .nodes = {flags.nodes.begin(), flags.nodes.end()},
                           .makes_pods = flags.makes_pods,
                           .binds_pods = flags.binds_pods};
  ASSIGN_OR_RETURN(settings.processes.program, own_program());
  ASSIGN_OR_RETURN(settings.operations, operations_addresses(flags.operations));
  settings.processes.image = flags.image;
  settings.processes.folder = std::filesystem::absolute(flags.data_dir).string();
  RETURN_IF_ERROR(env.disk.create_directory(settings.processes.folder));
  return settings;
}

int run_kubelet(const KubeletFlags& flags) {
  return run_lasting_program<KubeletProgram>(
      flags.log, [&flags](env::Env& env) { return settings_of(flags, env); });
}

void add_kubelet_flags(CLI::App& command, KubeletFlags& flags) {
  command
      .add_option("--data-dir", flags.data_dir,
                  "Where each container gets a folder with its files and its log")
      ->required();
  command
      .add_option("--image", flags.image,
                  "Berth's own image, without its tag: its containers run as processes")
      ->capture_default_str();
  command.add_option("--nodes", flags.nodes, "Whose pods to run; default: those of all nodes")
      ->delimiter(',');
  command.add_flag(
      "--make-pods", flags.makes_pods,
      "Make the pods of Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs, where no "
      "kube-controller-manager does");
  command.add_flag("--bind-pods", flags.binds_pods, "Bind pods to nodes, where no scheduler does");
  add_operations_flags(command, flags.operations, "metrics");
  add_log_flags(command, flags.log);
}

}  // namespace

void add_kubelet(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("kubelet", "Run the pods of a cluster whose nodes exist on paper only");
  command->footer(
      "Examples:\n"
      "  # Everything that a bare API server lacks to run Deployments\n"
      "  berth kubelet --kubeconfig cluster1.kubeconfig --data-dir /tmp/cluster1 "
      "--make-pods --bind-pods\n"
      "  # Beside kube-controller-manager and a scheduler, for two nodes\n"
      "  berth kubelet --data-dir /tmp/cluster1 --nodes node1,node2\n\n"
      "Containers of Berth's own image are processes of this program, with the arguments, the\n"
      "files and the service account of their pod, on a loopback address of their own. All others\n"
      "only seem to run. For tests and for trying things out: nothing is isolated.");
  const auto flags = std::make_shared<KubeletFlags>();
  add_kubelet_flags(*command, *flags);
  add_hub_flags(*command, flags->cluster);
  command->callback([&action, flags] { action = [flags] { return run_kubelet(*flags); }; });
}

}  // namespace berth::app
