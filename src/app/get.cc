// berth get: what there is on a hub, and the token with which clusters join it.

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/bootstrap_access.h"
#include "app/bootstrap_token.h"
#include "app/calls.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "base/base64.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using json::Value;

struct TokenFlags {
  HubFlags hub = {};
  std::string duration = "24h";
  std::string server = {};
  std::string cluster = {};
  std::string output = "";
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

void print_token(const BootstrapAccess& access, const BootstrapToken& token,
                 const TokenFlags& flags) {
  const std::string command = join_command(access, flags.cluster);
  if (flags.output == "json") {
    const Value document =
        Value::object({{"token", token.text},
                       {"expirationTimestamp", token.expires},
                       {"server", access.server},
                       {"certificateAuthorityData", encode_base64(access.authority_pem)},
                       {"command", command}});
    fmt::print("{}\n", json::print(document, {.indent = json::kKubectlIndent}));
  } else if (flags.output == "token") {
    fmt::print("{}\n", token.text);
  } else if (flags.output == "kubeconfig") {
    fmt::print("{}", json::print_yaml(client::document_of(kubeconfig_of(access))));
  } else {
    // Only the command goes to stdout, so that it can be piped to where it is run.
    std::fputs("Run this with the kubeconfig of the cluster that is to join:\n\n", stderr);
    fmt::print("{}\n", command);
    std::fflush(stdout);
    std::fputs(fmt::format("\nThe token is good until {}. When the cluster has asked, run here:\n\n"
                           "  berth accept {}\n",
                           token.expires, flags.cluster.empty() ? "<cluster_name>" : flags.cluster)
                   .c_str(),
               stderr);
  }
}

int get_token(const TokenFlags& flags) {
  const auto duration = parse_length("--duration", flags.duration);
  if (!duration.ok()) return fail("error: " + duration.error().message);
  if (*duration < std::chrono::minutes(10)) {
    return fail("error: --duration: a token is good for 10m at least");
  }
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  auto access = access_of(*config, env.disk);
  if (!access.ok()) return fail("error: " + access.error().message);
  if (!flags.server.empty()) access->server = flags.server;
  Calls hub(env, *config);
  const auto token = make_bootstrap_token(hub, *duration);
  if (!token.ok()) return fail(hub.text_of(token.error()));
  access->token = token->text;
  print_token(*access, *token, flags);
  return 0;
}

}  // namespace

void add_get(CLI::App& app, Action& action) {
  CLI::App* get = app.add_subcommand("get", "Show what a hub has");
  get->require_subcommand(1);
  get->footer(
      "Examples:\n"
      "  # The clusters of a hub\n  berth get clusters\n"
      "  # Where placements of all namespaces went, and each change from now on\n"
      "  berth get decisions -A -w\n"
      "  # The scores of one cluster\n  berth get scores -n cluster1\n"
      "  # Which hosting clusters have room, and what became of requests for hosted clusters\n"
      "  berth get hosting\n  berth get hostedclusterrequests -A -o wide");
  add_get_objects(*get, action);
  CLI::App* command =
      get->add_subcommand("token", "Print the command with which a cluster joins this hub");
  command->footer(
      "Examples:\n"
      "  # The command for a cluster, good for a day\n  berth get token\n"
      "  # For a hub that clusters reach under another name\n"
      "  berth get token --hub-apiserver https://hub.example.com:6443\n"
      "  # A bootstrap kubeconfig, for OCM's klusterlet\n  berth get token -o kubeconfig\n\n"
      "Whoever has the token may ask to join, and nothing else: the hub's administrator says\n"
      "who is let in (berth accept).");
  const auto flags = std::make_shared<TokenFlags>();
  command->add_option("--duration", flags->duration, "How long the token is good")
      ->capture_default_str();
  command->add_option("--hub-apiserver", flags->server,
                      "The hub's address as clusters reach it; that of the kubeconfig without it");
  command->add_option("--cluster-name", flags->cluster, "Put this name into the command");
  command
      ->add_option("-o,--output", flags->output, "json, kubeconfig or token; the command without")
      ->check(CLI::IsMember({"json", "kubeconfig", "token"}));
  add_hub_flags(*command, flags->hub);
  command->callback([&action, flags] { action = [flags] { return get_token(*flags); }; });
}

}  // namespace berth::app
