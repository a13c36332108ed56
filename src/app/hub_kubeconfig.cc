// berth hub kubeconfig: the administrator's access to a hub, as seen from somewhere else.
// Tested by tests/kube/hub_command_test.cc.

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/lasting_program.h"
#include "client/kubeconfig.h"
#include "env/files.h"
#include "json/yaml_print.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

constexpr std::size_t kFileMax = std::size_t{1} << 20;

struct KubeconfigFlags {
  std::string directory = "berth-data";
  std::string server = {};
};

Result<std::string> admin_kubeconfig(const KubeconfigFlags& flags, env::Disk& disk) {
  const std::string path = flags.directory + "/kubeconfig";
  ASSIGN_OR_RETURN(const bool exists, disk.exists(path));
  if (!exists) {
    return failure(Code::NotFound, fmt::format("there is no {}: has a hub run with --data-dir {}?",
                                               path, flags.directory));
  }
  ASSIGN_OR_RETURN(const std::string text, env::read_file(disk, path, kFileMax));
  if (flags.server.empty()) return text;
  ASSIGN_OR_RETURN(client::Kubeconfig kubeconfig, client::parse_kubeconfig(text, path));
  for (auto& [name, cluster] : kubeconfig.clusters) cluster.server = flags.server;
  return json::print_yaml(client::document_of(kubeconfig));
}

int print_kubeconfig(const KubeconfigFlags& flags) {
  runtime::System system({.loops = 1, .workers = 1});
  const auto text = admin_kubeconfig(flags, system.env(0).disk);
  if (!text.ok()) return complain(text.error());
  fmt::print("{}", *text);
  return 0;
}

}  // namespace

void add_hub_kubeconfig(CLI::App& hub, Action& action) {
  CLI::App* command =
      hub.add_subcommand("kubeconfig", "Print the administrator's kubeconfig of a hub");
  command->footer(
      "Examples:\n"
      "  # Of a hub that runs in a cluster, for the one who administers both\n"
      "  kubectl exec -n berth-hub berth-hub-0 -- berth hub kubeconfig --data-dir "
      "/var/lib/berth/hub\n\n"
      "Whoever has it may do everything on the hub.");
  const auto flags = std::make_shared<KubeconfigFlags>();
  command->add_option("--data-dir", flags->directory, "The hub's data directory")
      ->capture_default_str();
  command->add_option("--server", flags->server,
                      "The hub's address from where it will be used; the hub's certificate has to "
                      "name it (--tls-san)");
  command->callback([&action, flags] { action = [flags] { return print_kubeconfig(*flags); }; });
}

}  // namespace berth::app
