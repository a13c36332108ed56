// berth up: a fleet on this machine, to play with: a hub, clusters with nodes and pods, agents, and
// a placement by their scores. berth down: ends it and deletes it.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "api/kinds/fields.h"
#include "app/calls.h"
#include "app/command.h"
#include "app/flag_values.h"
#include "app/hub_flags.h"
#include "app/hub_objects.h"
#include "app/hub_program.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "app/up/fleet_watch.h"
#include "app/up/greeting.h"
#include "app/up/local_fleet.h"
#include "app/up/scenario_run.h"
#include "app/up/up_directory.h"
#include "base/strings.h"
#include "local/scenario.h"
#include "placement/explaining/explain_text.h"
#include "runtime/signals.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using namespace std::chrono_literals;

// More than the bookmarks of quiet watches are apart; whoever was away for longer reads anew. Of a
// thousand clusters, what has passed takes more memory than what is.
constexpr Duration kWatchHistory = 2min;

struct UpFlags {
  std::string directory = default_up_directory();
  std::string listen = "127.0.0.1:6443";
  int clusters = 3;
  int nodes = 5;
  bool binds = true;
  bool headless = false;
  std::string scenario = {};  // A file.
  std::vector<std::string> agent_options = {};
  std::string probe_allow = {};
  std::vector<std::string> delays = {};  // CLUSTER=LENGTH.
  LogFlags log = {};
};

struct DownFlags {
  std::string directory = default_up_directory();
  bool keeps_data = false;
};

std::vector<FleetCluster> usual_clusters(const UpFlags& flags) {
  std::vector<FleetCluster> clusters;
  for (int i = 1; i <= flags.clusters; ++i) {
    clusters.push_back({.name = fmt::format("cluster{}", i), .nodes = flags.nodes});
  }
  return clusters;
}

Result<std::map<std::string, Duration>> delays_of(const UpFlags& flags,
                                                  const std::vector<FleetCluster>& clusters) {
  std::map<std::string, Duration> delays;
  for (const std::string& text : flags.delays) {
    const std::string name = text.substr(0, text.find('='));
    const auto cluster = std::ranges::find(clusters, name, &FleetCluster::name);
    if (!text.contains('=') || cluster == clusters.end()) {
      return failure(Code::BadRequest,
                     fmt::format("--simulated-delay: {} does not begin with a cluster of this "
                                 "fleet, as in {}=20ms",
                                 quote(text), clusters.front().name));
    }
    ASSIGN_OR_RETURN(delays[name], parse_length("--simulated-delay", text.substr(name.size() + 1)));
  }
  return delays;
}

// Nothing where the flags name none.
Result<std::optional<local::Scenario>> load_scenario(const UpFlags& flags) {
  if (flags.scenario.empty()) return std::nullopt;
  std::ifstream file(flags.scenario, std::ios::binary);
  if (!file) {
    return failure(Code::NotFound, fmt::format("cannot read the scenario {}: {}",
                                               quote(flags.scenario), std::strerror(errno)));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto scenario = local::read_scenario(text);
  if (!scenario.ok()) return failure(std::move(scenario).error().in_context(flags.scenario));
  if (last_up_run(flags.directory).port != 0) {
    return failure(Code::Conflict,
                   fmt::format("a scenario begins with a new fleet, and there is one in {}; delete "
                               "it with \"berth down --data-dir {}\", or name another --data-dir",
                               flags.directory, flags.directory));
  }
  return *std::move(scenario);
}

std::string log_file(const UpFlags& flags) { return flags.directory + "/log"; }

runtime::LogOptions log_options_of(const UpFlags& flags) {
  runtime::LogOptions options = log_options(flags.log);
  options.file = log_file(flags);
  return options;
}

Result<HubSettings> hub_settings(const UpFlags& flags, const std::vector<FleetCluster>& clusters) {
  HubSettings settings;
  settings.directory = flags.directory + "/hub";
  settings.host = host_name();
  settings.watch_history = kWatchHistory;
  for (const FleetCluster& cluster : clusters) settings.clusters.insert(cluster.name);
  ASSIGN_OR_RETURN(settings.listen, parse_address("--listen", flags.listen));
  // Agents remember where their hub is: any free port is the one of the last time, if it can be.
  if (settings.listen.port == 0) settings.listen.port = last_up_run(flags.directory).port;
  settings.keys = {.directory = settings.directory, .listen_host = settings.listen.host};
  ASSIGN_OR_RETURN(settings.controllers, parse_controllers({"*"}));
  return settings;
}

// What goes wrong first: a fleet that runs already, or somebody else on the port.
Error with_advice(Error error, const UpFlags& flags) {
  if (error.code == Code::Conflict) {
    error.message +=
        fmt::format("; end it with \"berth down --keep-data --data-dir {}\"", flags.directory);
  } else if (error.message.contains("in use")) {
    error.message += "; choose another port with --listen, such as --listen 127.0.0.1:0";
  }
  return error;
}

// On one line in a terminal, on lines of their own elsewhere.
class ProgressLine {
 public:
  void operator()(std::string_view what, std::size_t done, std::size_t all) {
    const std::string line = fmt::format("{}: {} of {}", what, done, all);
    if (line == last_) return;
    if (is_terminal_) {
      std::fputs(fmt::format("\r\033[K{}", line).c_str(), stderr);
    } else if (last_.substr(0, what.size()) != what || done == all) {
      std::fputs(fmt::format("{}\n", line).c_str(), stderr);
    }
    last_ = line;
  }
  void end() const {
    if (is_terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  const bool is_terminal_ = isatty(STDERR_FILENO) == 1;
  std::string last_;
};

std::string first_placement(const local::Scenario* scenario) {
  const bool has_own = scenario && !scenario->placements.empty();
  return has_own ? api::read_facts(scenario->placements.front()).name : kFirstPlacement;
}

std::string explanation(env::Env& env, const client::ClientConfig& hub, const std::string& name) {
  const api::ObjectKey key{"default", name};
  const auto objects = read_hub(env, hub, key);
  if (!objects.ok()) return objects.error().message;
  const placement::Situation situation = situation_of(*objects, {});
  const placement::CompiledPlacement* placement = situation.find(key);
  if (!placement) return "there is no such placement";
  return to_text(
      placement::explain(*placement, situation.fleet(), env.clock.now(), situation.options()),
      placement::ExplainFormat::Table);
}

// What runs, from when it is ready to its end.
struct Running {
  const UpFlags& flags;
  env::Env& env;
  HubProgram& hub;
  LocalFleet& fleet;
  const local::Scenario* scenario;  // May be null.
  std::string heading;
  std::future<Status> ended;
};

// How many expectations of its scenario did not come true.
Result<int> run_to_end(Running running) {
  const bool is_terminal = !running.flags.headless && isatty(STDOUT_FILENO) == 1;
  if (!is_terminal) fmt::print("{}\n", running.heading);
  ASSIGN_OR_RETURN(const client::ClientConfig config, running.hub.inner_client("system:berth-up"));
  env::Loop& loop = running.env.loop;
  std::unique_ptr<FleetWatch> watch;
  runtime::run_on(loop, [&] {
    watch = std::make_unique<FleetWatch>(
        running.env,
        FleetWatchSettings{
            .hub = config,
            .heading = running.heading,
            .use_of = [&running](const auto& name) { return running.fleet.use_of(name); },
            .is_terminal = is_terminal});
  });
  Result<int> failures = 0;
  if (running.scenario) {
    failures =
        play({.fleet = running.fleet,
              .scenario = *running.scenario,
              .tell = [&](const auto& text) { runtime::run_on(loop, [&] { watch->tell(text); }); },
              .explain = [&](const auto& name) { return explanation(running.env, config, name); },
              .wait =
                  [&](Duration length) {
                    return running.ended.wait_for(length) == std::future_status::timeout;
                  }});
  }
  const bool is_over = running.scenario && (running.flags.headless || !failures.ok());
  const Status status = is_over ? Status() : running.ended.get();
  runtime::run_on(loop, [&] { watch.reset(); });
  if (!status.ok()) return failure(status.error());
  return failures;
}

int run_up(const UpFlags& flags) {
  const auto began = std::chrono::steady_clock::now();
  const auto scenario = load_scenario(flags);
  if (!scenario.ok()) return complain(scenario.error());
  const local::Scenario* script = *scenario ? &**scenario : nullptr;
  const std::vector<FleetCluster> clusters = script ? clusters_of(*script) : usual_clusters(flags);
  auto settings = hub_settings(flags, clusters);
  if (!settings.ok()) return complain(settings.error());
  const auto delays = delays_of(flags, clusters);
  if (!delays.ok()) return complain(delays.error());
  runtime::Signals signals;
  runtime::raise_descriptor_limit();
  if (const Status ours = claim_up_directory(flags.directory); !ours.ok()) {
    return complain(ours.error());
  }
  const runtime::LogOptions log = log_options_of(flags);
  runtime::System hub_system({.loops = 1 + kHubLoopsBeside, .workers = 1, .log = log});
  runtime::System fleet_system({.loops = 1, .workers = 1, .log = log});
  env::Env& env = fleet_system.env(0);

  std::promise<Status> ended;
  std::once_flag once;
  const auto end = [&ended, &once](Status status) {
    std::call_once(once, [&] { ended.set_value(std::move(status)); });
  };
  HubProgram hub(hub_system, *std::move(settings),
                 [&end](const Error& error) { end(failure(error)); });
  if (const Status started = hub.start(); !started.ok()) {
    return complain(with_advice(started.error(), flags));
  }
  const Status written = write_up_run(flags.directory, {.pid = getpid(), .port = hub.port()});
  if (!written.ok()) return complain(written.error());
  LocalFleet fleet(env, hub,
                   {.clusters = clusters,
                    .binds = flags.binds,
                    .directory = std::filesystem::absolute(flags.directory).string(),
                    .agent_options = flags.agent_options,
                    .probe_allow = flags.probe_allow,
                    .delays = *delays,
                    .scenario = script});
  signals.handle(hub_system.env(0).loop, {.drain = [&end] { end({}); }, .reload = [] {}});
  ProgressLine progress;
  const Status started = fleet.start(std::ref(progress));
  progress.end();
  if (!started.ok()) return complain(started.error());
  const Result<int> failures =
      run_to_end({.flags = flags,
                  .env = env,
                  .hub = hub,
                  .fleet = fleet,
                  .scenario = script,
                  .heading = greeting({.url = hub.url(),
                                       .clusters = clusters,
                                       .kubeconfig = fleet.kubeconfig_path(),
                                       .placement = first_placement(script),
                                       .log = log_file(flags),
                                       .delays = flags.delays,
                                       .took = std::chrono::steady_clock::now() - began}),
                  .ended = ended.get_future()});
  if (!failures.ok()) return complain(failures.error());
  return *failures == 0 ? 0 : 1;
}

// The number may have gone to somebody else since.
bool is_running(int pid) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), error);
  return pid > 1 && !error && program.filename().string().starts_with("berth");
}

int run_down(const DownFlags& flags) {
  if (!is_up_directory(flags.directory)) {
    return complain({.message = fmt::format("there is no local fleet in {}; --data-dir names the "
                                            "folder of another one",
                                            quote(flags.directory))});
  }
  const int pid = last_up_run(flags.directory).pid;
  if (is_running(pid)) {
    kill(pid, SIGTERM);
    if (!wait_for(1min, [pid] { return !is_running(pid); })) {
      return complain({.message = fmt::format("process {} does not end", pid)});
    }
    fmt::print("stopped\n");
  }
  if (flags.keeps_data) return 0;
  std::error_code error;
  std::filesystem::remove_all(flags.directory, error);
  if (error) return complain({.message = "cannot delete all: " + error.message()});
  fmt::print("deleted {}\n", flags.directory);
  return 0;
}

void add_agent_flags(CLI::App& command, UpFlags& flags) {
  const auto group = "Agents of the clusters";
  command
      .add_option("--agent-option", flags.agent_options,
                  "NAME=VALUE of \"berth agent --NAME VALUE\" for what they publish, such as "
                  "score-name=test-score1 or resource=cpu,max=2000")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option("--probe-allow", flags.probe_allow,
                  "What score generators may measure of this machine's and private networks: "
                  "127.0.0.0/8")
      ->group(group);
  command
      .add_option("--simulated-delay", flags.delays,
                  "CLUSTER=LENGTH,...: what they measure is so much further away from that cluster")
      ->delimiter(',')
      ->group(group);
}

}  // namespace

void add_up(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("up", "Run a fleet on this machine, to play with");
  command->footer(
      "Examples:\n"
      "  # A hub and three clusters with nodes and pods, scores and a placement\n"
      "  berth up\n"
      "  # Ten clusters of two nodes, beside something else on port 6443\n"
      "  berth up --clusters 10 --nodes 2 --listen 127.0.0.1:7443\n"
      "  # Play a scenario, and fail if what it expects does not come true\n"
      "  berth up --scenario docs/examples/scenarios/region-outage.yaml --headless\n"
      "  # Clusters that are near and far, for placements by latency\n"
      "  berth up --probe-allow 127.0.0.0/8 --simulated-delay cluster1=5ms,cluster2=40ms\n"
      "  # End it and delete its data\n"
      "  berth down\n\n"
      "Everything is in this one process: an embedded hub, and clusters that are logical clusters\n"
      "of the same server. They join the hub as all clusters do; their nodes and pods exist on\n"
      "paper only, and their load goes up and down like a day of ten minutes.");
  const auto flags = std::make_shared<UpFlags>();
  CLI::Option* clusters = command->add_option("--clusters", flags->clusters, "How many clusters")
                              ->check(CLI::Range(1, 10'000))
                              ->capture_default_str();
  CLI::Option* nodes = command->add_option("--nodes", flags->nodes, "How many nodes each has")
                           ->check(CLI::Range(1, 1'000))
                           ->capture_default_str();
  command->add_flag("!--no-bind", flags->binds,
                    "Do not bind the default cluster set to the namespace default");
  command->add_option("--data-dir", flags->directory, "Where everything is kept; made if missing")
      ->capture_default_str();
  command->add_option("--listen", flags->listen, "HOST:PORT to serve at; port 0: any free one")
      ->capture_default_str();
  command->add_flag("--headless", flags->headless,
                    "Lines instead of a table, also in a terminal; ends with its scenario");
  command
      ->add_option("--scenario", flags->scenario,
                   "A file that says what happens to which clusters, and what to expect")
      ->excludes(clusters, nodes);
  add_agent_flags(*command, *flags);
  add_log_flags(*command, flags->log);
  command->callback([&action, flags] { action = [flags] { return run_up(*flags); }; });
}

void add_down(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("down", "End the fleet that \"berth up\" runs, and delete its data");
  command->footer("Examples:\n  berth down\n  # Only end it\n  berth down --keep-data");
  const auto flags = std::make_shared<DownFlags>();
  command->add_option("--data-dir", flags->directory, "The folder of the fleet")
      ->capture_default_str();
  command->add_flag("--keep-data", flags->keeps_data, "Do not delete its data");
  command->callback([&action, flags] { action = [flags] { return run_down(*flags); }; });
}

}  // namespace berth::app
