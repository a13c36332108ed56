#include "kube/crds.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "kube/child.h"
#include "kube/commands.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

// For those in the file, one line each. kubectl wait asks for each of them in turn, which takes
// seconds where this takes one question.
constexpr char kEstablished[] =
    R"(jsonpath={range .items[*]}{.status.conditions[?(@.type=="Established")].status}{"\n"}{end})";

constexpr char kPrepared[] = "BERTH_PREPARED_CRDS";  // A folder with the data of an etcd.

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
  std::string told;
  const bool established = wait_until([&] {
    const auto lines = kubectl(server, {"get", "--filename", file.string(), "-o", kEstablished});
    told = lines.ok() ? *lines : lines.error().message;
    return lines.ok() &&
           std::ranges::all_of(split(trim(told), '\n'), [](auto line) { return line == "True"; });
  });
  if (established) return {};
  return failure(Code::Timeout, "not all definitions are established:\n" + told);
}

Status apply_berth_crds(Server& server) {
  if (server.kind() == ServerKind::EmbeddedHub) return {};  // It has them from its first start.
  return apply_printed(server, berth_program().string(), "--no-guards");
}

Result<std::unique_ptr<Server>> start_with_berth_crds(ServerOptions options) {
  const char* prepared = std::getenv(kPrepared);
  if (prepared) options.etcd_data = prepared;
  ASSIGN_OR_RETURN(std::unique_ptr<Server> server, Server::start(std::move(options)));
  if (!prepared) RETURN_IF_ERROR(apply_berth_crds(*server));
  return server;
}

// Where it fails, the tests say why, each for itself.
PreparedCrds::PreparedCrds() {
  if (server_kind() != ServerKind::KubeApiserver || !std::getenv("BERTH_KUBE_APISERVER")) return;
  auto server = start_with_berth_crds();
  if (!server.ok()) return;
  server_ = *std::move(server);
  const auto data = server_->etcd_data();
  constexpr int kReplace = 1;
  if (data.ok()) ::setenv(kPrepared, data->c_str(), kReplace);
}

PreparedCrds::~PreparedCrds() { ::unsetenv(kPrepared); }

Status apply_berth_guards(Server& server) {
  if (server.kind() == ServerKind::EmbeddedHub) return {};  // It guards by itself.
  const std::filesystem::path file = server.folder() / "guards.yaml";
  RETURN_IF_ERROR(
      run({"sh", "-c", fmt::format("'{}' crds > '{}'", berth_program().string(), file.string())}));
  RETURN_IF_ERROR(kubectl(server, {"apply", "--server-side", "--filename", file.string()}));
  return {};
}

Status apply_ocm_crds(Server& server) {
  const char* program = std::getenv("BERTH_OCM");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_OCM is not set: run the tests with make test-kube");
  }
  return apply_printed(server, program, "");
}

}  // namespace berth::kube
