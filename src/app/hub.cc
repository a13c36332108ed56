// berth hub: the embedded hub, for real use.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/config_file.h"
#include "app/flag_values.h"
#include "app/hub_flags.h"
#include "app/hub_program.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "runtime/signals.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

struct HubCommandFlags {
  std::string directory = "berth-data";
  std::string listen = "127.0.0.1:6443";
  std::vector<std::string> names = {};
  std::string certificate_file = {};
  std::string key_file = {};
  std::string token_file = {};
  std::string audit_file = {};
  std::vector<std::string> controllers = {"*"};
  std::size_t threads = 0;
  std::string watch_history = "5m";
  std::uint32_t streams = 0;
  std::size_t requests_per_user = HubSettings().requests_per_user;
  LogFlags log = {};
};

Result<HubSettings> settings_of(const HubCommandFlags& flags) {
  HubSettings settings;
  settings.directory = flags.directory;
  settings.token_file = flags.token_file;
  settings.audit_file = flags.audit_file;
  settings.host = host_name();
  ASSIGN_OR_RETURN(settings.listen, parse_address("--listen", flags.listen));
  if (flags.certificate_file.empty() != flags.key_file.empty()) {
    return failure(Code::BadRequest,
                   "--tls-cert-file and --tls-private-key-file go together: give both or none");
  }
  settings.keys = {.directory = flags.directory,
                   .names = flags.names,
                   .listen_host = settings.listen.host,
                   .certificate_file = flags.certificate_file,
                   .key_file = flags.key_file};
  ASSIGN_OR_RETURN(settings.watch_history, parse_length("--watch-history", flags.watch_history));
  settings.requests_per_user = flags.requests_per_user;
  if (flags.streams > 0) settings.http.limits.streams = flags.streams;
  if (flags.controllers != std::vector<std::string>{"none"}) {
    ASSIGN_OR_RETURN(settings.controllers, parse_controllers(flags.controllers));
  }
  return settings;
}

int run_hub(const HubCommandFlags& flags) {
  auto settings = settings_of(flags);
  if (!settings.ok()) return complain(settings.error());
  runtime::Signals signals;
  runtime::raise_descriptor_limit();
  std::function<void()> reload = [] {};  // Once all runs, on the first loop only; outlives it.
  const std::size_t threads =
      flags.threads > 0 ? flags.threads : std::max(1U, std::thread::hardware_concurrency());
  runtime::System system(
      {.loops = threads + kHubLoopsBeside, .workers = 1, .log = log_options(flags.log)});
  std::promise<Status> ended;
  std::once_flag once;
  const auto end = [&ended, &once](Status status) {
    std::call_once(once, [&] { ended.set_value(std::move(status)); });
  };
  HubProgram program(system, *std::move(settings),
                     [&end](const Error& error) { end(failure(error)); });
  if (const Status started = program.start(); !started.ok()) return complain(started.error());
  reload = [&program] { program.reload(); };
  signals.handle(system.env(0).loop,
                 {.drain = [&end] { end({}); }, .reload = [&reload] { reload(); }});
  fmt::print("berth hub serves at {}\n\n  export KUBECONFIG={}\n  kubectl get managedclusters\n\n",
             program.url(), program.kubeconfig_path());
  std::fflush(stdout);
  const Status status = ended.get_future().get();
  runtime::run_on(system.env(0).loop, [&reload] { reload = [] {}; });
  program.stop();
  return status.ok() ? 0 : complain(status.error());
}

}  // namespace

void add_hub(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "hub", "Run the embedded hub: a Kubernetes-compatible API server in this process");
  command->footer(
      "Examples:\n"
      "  # A hub on this machine, with Berth's controllers inside\n"
      "  berth hub --data-dir /var/lib/berth\n"
      "  # For agents on other machines\n"
      "  berth hub --data-dir /var/lib/berth --listen 0.0.0.0:6443 --tls-san hub.example.com\n"
      "  # Only the API server\n"
      "  berth hub --controllers none\n\n"
      "The administrator's kubeconfig is DATA-DIR/kubeconfig. Everything the hub knows is in\n"
      "DATA-DIR; it is safe to kill the process at any time.");
  const auto flags = std::make_shared<HubCommandFlags>();
  add_config_file(*command);
  command->add_option("--data-dir", flags->directory, "Where everything is kept; made if missing")
      ->capture_default_str();
  command->add_option("--listen", flags->listen, "HOST:PORT to serve at; port 0: any free one")
      ->capture_default_str();
  command
      ->add_option("--tls-san", flags->names,
                   "Further names and addresses by which clients reach the hub")
      ->delimiter(',');
  command->add_option("--tls-cert-file", flags->certificate_file,
                      "Your own serving certificate, with its chain. Looked at every ten minutes "
                      "and after SIGHUP. Default: the hub's CA issues and renews one");
  command->add_option("--tls-private-key-file", flags->key_file, "The key of that certificate");
  command->add_option("--token-auth-file", flags->token_file,
                      "Lines of TOKEN,USER,UID,\"GROUP1,GROUP2\"");
  command->add_option("--audit-log-path", flags->audit_file,
                      "Where to write a line for each request; none by default. To rotate it, "
                      "rename it and send SIGHUP");
  command
      ->add_option("--controllers", flags->controllers,
                   "Which of Berth's controllers run inside: " + controller_names() + ", * or none")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--threads", flags->threads, "Threads that serve; 0: one for each core");
  command
      ->add_option("--watch-history", flags->watch_history,
                   "How long changes are remembered for watches and pages that fell behind")
      ->capture_default_str();
  command->add_option("--http2-max-streams-per-connection", flags->streams,
                      "Requests that a client may have open on one connection; 0: 100");
  command
      ->add_option("--max-requests-inflight-per-user", flags->requests_per_user,
                   "Requests of one user that may wait on one thread; more get 429. "
                   "Administrators are exempt")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_log_flags(*command, flags->log);
  add_hub_backup(*command, action);
  add_hub_kubeconfig(*command, action);
  command->callback([&action, flags, command] {
    if (!command->get_subcommands().empty()) return;  // It has said what to do.
    action = [flags] { return run_hub(*flags); };
  });
}

}  // namespace berth::app
