// berth extender: the holds of rebuilt pods for the stock kube-scheduler.

#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/command.h"
#include "app/extender_program.h"
#include "app/flag_values.h"
#include "app/hub_flags.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "app/operations_flags.h"
#include "env/files.h"
#include "http/server_service.h"

namespace berth::app {
namespace {

constexpr std::size_t kPemBytesMax = 1 << 20;

struct ExtenderFlags {
  HubFlags cluster = {};
  std::string listen = "127.0.0.1:8888";
  std::string certificate = {};
  std::string key = {};
  std::string client_authorities = {};
  double qps = 0;
  double burst = 0;
  OperationsFlags operations = {.health = "127.0.0.1:8085", .metrics = "127.0.0.1:8084"};
  LogFlags log = {};
};

Result<std::string> read_pem(const char* flag, const std::string& path, env::Disk& disk) {
  auto text = env::read_file(disk, path, kPemBytesMax);
  if (!text.ok()) return failure(std::move(text).error().in_context(flag));
  return text;
}

Result<std::optional<env::TlsServer>> tls_of(const ExtenderFlags& flags, env::Disk& disk) {
  if (flags.certificate.empty() != flags.key.empty()) {
    return failure(Code::BadRequest,
                   "--tls-cert-file and --tls-private-key-file belong together: give both");
  }
  if (flags.certificate.empty()) {
    if (flags.client_authorities.empty()) return std::optional<env::TlsServer>();
    return failure(Code::BadRequest,
                   "--client-ca-file needs --tls-cert-file and --tls-private-key-file");
  }
  env::TlsServer tls{.identity = {}, .protocols = http::server_protocols()};
  ASSIGN_OR_RETURN(tls.identity.certificates_pem,
                   read_pem("--tls-cert-file", flags.certificate, disk));
  ASSIGN_OR_RETURN(tls.identity.key_pem, read_pem("--tls-private-key-file", flags.key, disk));
  if (!flags.client_authorities.empty()) {
    ASSIGN_OR_RETURN(tls.client_authorities_pem,
                     read_pem("--client-ca-file", flags.client_authorities, disk));
    tls.client_certificate = env::ClientCertificate::Require;
  }
  return std::optional(std::move(tls));
}

Result<ExtenderSettings> settings_of(const ExtenderFlags& flags, env::Env& env) {
  ASSIGN_OR_RETURN(auto cluster, load_hub_config(flags.cluster, env));
  ASSIGN_OR_RETURN(auto address, parse_address("--listen", flags.listen));
  ASSIGN_OR_RETURN(auto tls, tls_of(flags, env.disk));
  ASSIGN_OR_RETURN(auto operations, operations_addresses(flags.operations));
  return ExtenderSettings{
      .cluster = std::move(cluster),
      .rate = {.per_second = flags.qps, .burst = flags.burst > 0 ? flags.burst : 2 * flags.qps},
      .questions = {.address = std::move(address), .tls = std::move(tls)},
      .operations = operations};
}

}  // namespace

void add_extender(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "extender", "Keep the room of rebuilt pods for the stock kube-scheduler, which asks here");
  command->footer(
      "Examples:\n"
      "  # Beside kube-scheduler\n  berth extender --kubeconfig /etc/kubernetes/scheduler.conf\n"
      "  # What runs it in the cluster, and the configuration that makes kube-scheduler ask\n"
      "  berth manifests extender\n\n"
      "Serves /filter, /prioritize, /preempt and /bind of the extender protocol.");
  const auto flags = std::make_shared<ExtenderFlags>();
  add_hub_flags(*command, flags->cluster);
  command->add_option("--listen", flags->listen, "Where kube-scheduler asks")
      ->capture_default_str();
  command->add_option("--tls-cert-file", flags->certificate,
                      "Our certificate, and those between it and the authority, in PEM");
  command->add_option("--tls-private-key-file", flags->key, "The key of the certificate");
  command->add_option("--client-ca-file", flags->client_authorities,
                      "Answer only clients with a certificate of these authorities");
  command->add_option("--kube-api-qps", flags->qps, "Requests a second; 0: no limit")
      ->capture_default_str();
  command->add_option("--kube-api-burst", flags->burst, "Requests at once; 0: twice the rate");
  add_operations_flags(*command, flags->operations, "metrics");
  add_log_flags(*command, flags->log);
  command->callback([&action, flags] {
    action = [flags] {
      return run_lasting_program<ExtenderProgram>(
          flags->log, [&flags](env::Env& env) { return settings_of(*flags, env); });
    };
  });
}

}  // namespace berth::app
