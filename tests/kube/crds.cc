#include "kube/crds.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kube/child.h"

namespace berth::kube {
namespace {

Status kubectl(Server& server, const std::vector<std::string>& arguments) {
  const char* program = std::getenv("BERTH_KUBECTL");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_KUBECTL is not set: run the tests with make test-kube");
  }
  std::vector<std::string> command = {program, "--kubeconfig", server.kubeconfig().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

// What the program prints as it starts goes into a file that kubectl reads.
Status apply_printed(Server& server, const std::string& program) {
  const std::filesystem::path file = server.folder() / "crds.yaml";
  RETURN_IF_ERROR(run({"sh", "-c", fmt::format("'{}' crds > '{}'", program, file.string())}));
  return apply_crds(server, file);
}

}  // namespace

std::filesystem::path berth_program() { return BERTH_PROGRAM; }

Status apply_crds(Server& server, const std::filesystem::path& file) {
  RETURN_IF_ERROR(kubectl(server, {"apply", "--server-side", "--filename", file.string()}));
  return kubectl(server, {"wait", "--for=condition=Established", "--timeout=60s", "--filename",
                          file.string()});
}

Status apply_berth_crds(Server& server) { return apply_printed(server, BERTH_PROGRAM); }

Status apply_ocm_crds(Server& server) {
  const char* program = std::getenv("BERTH_OCM");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_OCM is not set: run the tests with make test-kube");
  }
  return apply_printed(server, program);
}

}  // namespace berth::kube
