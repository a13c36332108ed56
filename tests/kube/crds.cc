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
Status apply_printed(Server& server, const std::string& program, const std::string& flags) {
  const std::filesystem::path file = server.folder() / "crds.yaml";
  RETURN_IF_ERROR(
      run({"sh", "-c", fmt::format("'{}' crds {} > '{}'", program, flags, file.string())}));
  return apply_crds(server, file);
}

}  // namespace

Status apply_crds(Server& server, const std::filesystem::path& file) {
  RETURN_IF_ERROR(kubectl(server, {"apply", "--server-side", "--filename", file.string()}));
  return kubectl(server, {"wait", "--for=condition=Established", "--timeout=60s", "--filename",
                          file.string()});
}

Status apply_berth_crds(Server& server) {
  if (server.kind() == ServerKind::EmbeddedHub) return {};  // It has them from its first start.
  return apply_printed(server, berth_program().string(), "--no-guards");
}

Status apply_berth_guards(Server& server) {
  if (server.kind() == ServerKind::EmbeddedHub) return {};  // It guards by itself.
  const std::filesystem::path file = server.folder() / "guards.yaml";
  RETURN_IF_ERROR(
      run({"sh", "-c", fmt::format("'{}' crds > '{}'", berth_program().string(), file.string())}));
  return kubectl(server, {"apply", "--server-side", "--filename", file.string()});
}

Status apply_ocm_crds(Server& server) {
  const char* program = std::getenv("BERTH_OCM");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_OCM is not set: run the tests with make test-kube");
  }
  return apply_printed(server, program, "");
}

}  // namespace berth::kube
