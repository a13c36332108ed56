#include "app/operations_flags.h"

#include <string>

#include <CLI/CLI.hpp>

#include "app/flag_values.h"

namespace berth::app {
namespace {

constexpr const char* kHealthFlag = "--health-probe-bind-address";
constexpr const char* kMetricsFlag = "--metrics-bind-address";

}  // namespace

void add_operations_flags(CLI::App& command, OperationsFlags& flags,
                          const std::string& at_metrics) {
  command.add_option(kHealthFlag, flags.health, "Where to serve health; 0: nowhere")
      ->capture_default_str();
  command.add_option(kMetricsFlag, flags.metrics, "Where to serve " + at_metrics + "; 0: nowhere")
      ->capture_default_str();
}

Result<OperationsAddresses> operations_addresses(const OperationsFlags& flags) {
  OperationsAddresses addresses;
  ASSIGN_OR_RETURN(addresses.health, parse_bind_address(kHealthFlag, flags.health));
  ASSIGN_OR_RETURN(addresses.metrics, parse_bind_address(kMetricsFlag, flags.metrics));
  return addresses;
}

Status listen(control::Operations& operations, const OperationsAddresses& addresses,
              env::Log& log) {
  for (const auto& [address, topics] : control::topics_by_address(addresses)) {
    const auto bound = operations.listen({.address = address}, topics);
    if (!bound.ok()) {
      return failure(bound.error().code, bound.error().message + "; choose another with " +
                                             kHealthFlag + " and " + kMetricsFlag +
                                             ", or 0 for none");
    }
    log.info("operations.listening", {{"address", env::to_string(*bound)}});
    const bool lacks_debug = topics.contains(control::Topic::Metrics) &&
                             !topics.contains(control::Topic::Added) &&
                             operations.has_added_routes();
    if (lacks_debug) {
      log.warn("operations.debug_left_out",
               {{"address", env::to_string(*bound)},
                {"reason", "health is served there, to everybody"},
                {"remedy", std::string("another address for ") + kMetricsFlag}});
    }
  }
  return {};
}

}  // namespace berth::app
