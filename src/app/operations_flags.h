// Where a command that runs for long can be looked at: its health and its numbers.

#pragma once

#include <string>

#include "base/result.h"
#include "control/operations_service.h"
#include "env/log.h"

namespace CLI {
class App;
}

namespace berth::app {

struct OperationsFlags {
  std::string health = "127.0.0.1:8081";
  std::string metrics = "127.0.0.1:8080";
};

using control::OperationsAddresses;

// `at_metrics` is what is served at the second address: "metrics".
void add_operations_flags(CLI::App& command, OperationsFlags& flags, const std::string& at_metrics);
Result<OperationsAddresses> operations_addresses(const OperationsFlags& flags);

// An address that cannot be had is told with the flags that change it.
Status listen(control::Operations& operations, const OperationsAddresses& addresses, env::Log& log);

}  // namespace berth::app
