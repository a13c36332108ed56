#include "kube/ocm_controller.h"

#include <cstdlib>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "json/parse.h"
#include "kube/ports.h"

namespace berth::kube {

Result<OcmController> OcmController::start(Server& server, OcmOptions options) {
  const char* program = std::getenv("BERTH_OCM_PLACEMENT");
  if (!program) {
    return failure(Code::NotFound,
                   "$BERTH_OCM_PLACEMENT is not set: run the tests with make test-kube");
  }
  OcmController controller;
  controller.folder_ = server.folder();
  controller.port_ = free_port();
  controller.log_ = server.folder() / "ocm-placement.log";
  // It reads the relative paths in a kubeconfig from its own folder.
  ASSIGN_OR_RETURN(
      controller.process_,
      Child::start(
          {"env", "--chdir=" + server.folder().string(), program, "controller", "--kubeconfig",
           server.kubeconfig().string(), "--namespace", "default",
           std::string("--disable-leader-election=") + (options.leader_election ? "false" : "true"),
           "--kube-api-qps=1000", "--kube-api-burst=2000", "--listen",
           fmt::format("127.0.0.1:{}", controller.port_)},
          controller.log_));
  return controller;
}

Result<std::vector<json::Value>> OcmController::debug(const std::vector<std::string>& placements) {
  std::vector<json::Value> answers;
  if (placements.empty()) return answers;
  const std::filesystem::path file = folder_ / "debug.json";
  std::string command = fmt::format(
      "cd '{}/pki' && exec curl --silent --fail --insecure --max-time 10 --cert admin.crt "
      "--key admin.key --write-out '\\n'",
      folder_.string());
  for (const std::string& placement : placements) {
    command += fmt::format(" https://127.0.0.1:{}/debug/placements/{}", port_, placement);
  }
  RETURN_IF_ERROR(run({"sh", "-c", fmt::format("{} > '{}'", command, file.string())}));
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    ASSIGN_OR_RETURN(json::Value answer, json::parse(line));
    answers.push_back(std::move(answer));
  }
  if (answers.size() != placements.size()) {
    return failure(Code::InternalError, "the debug endpoint left answers out");
  }
  return answers;
}

}  // namespace berth::kube
