#include "kube/commands.h"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "kube/accounts.h"
#include "kube/contents.h"
#include "kube/paths.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

Result<std::string> printed(const Server& server, const std::vector<std::string>& command,
                            const std::string& input) {
  const std::filesystem::path folder = server.folder();
  std::ofstream(folder / "input") << input;
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(quoted(word));
  const Status status =
      run({"sh", "-c",
           fmt::format("{} < {} > {} 2>&1", join(words, " "), quoted((folder / "input").string()),
                       quoted((folder / "output").string()))});
  std::string output = contents(folder / "output");
  if (!status.ok()) return failure(Code::InternalError, output + status.error().message);
  return output;
}

}  // namespace

Result<std::string> kubectl(const Server& server, const std::vector<std::string>& arguments,
                            const std::string& input) {
  const char* program = std::getenv("BERTH_KUBECTL");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_KUBECTL is not set: run the tests with make test-kube");
  }
  std::vector<std::string> command = {program, "--kubeconfig", server.kubeconfig().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return printed(server, command, input);
}

std::string checked_kubectl(const Server& server, const std::vector<std::string>& arguments,
                            const std::string& input) {
  const auto output = kubectl(server, arguments, input);
  EXPECT_TRUE(output.ok()) << output.error().message;
  return output.ok() ? *output : "";
}

void apply_yaml(const Server& server, const std::string& yaml) {
  checked_kubectl(server, {"apply", "--server-side", "-f", "-"}, yaml);
}

void make_cluster(const Server& server, const std::string& name, const std::string& labels) {
  apply_yaml(server, fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {{name: {0}, labels: {1}}}
spec: {{hubAcceptsClient: true}}
---
apiVersion: v1
kind: Namespace
metadata: {{name: {0}}}
)",
                                 name, labels));
}

std::string kubectl_until(const Server& server, const std::vector<std::string>& arguments,
                          const std::string& expected) {
  std::string text;
  wait_until([&] {
    const auto output = kubectl(server, arguments);
    text = output.ok() ? *output : output.error().message;
    return text == expected;
  });
  return text;
}

Result<std::string> make(const Server& server, const std::string& target) {
  const char* program = std::getenv("BERTH_KUBECTL");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_KUBECTL is not set: run the tests with make test-kube");
  }
  return printed(
      server,
      {"env", "KUBECONFIG=" + server.kubeconfig().string(), std::string("KUBECTL=") + program,
       "make", "--no-print-directory", "--directory=" + source_path("").string(), target},
      "");
}

Result<std::string> helm(const Server& server, const std::vector<std::string>& arguments) {
  const char* program = std::getenv("BERTH_HELM");
  if (!program) {
    return failure(Code::NotFound, "$BERTH_HELM is not set: run the tests with make test-kube");
  }
  const std::string home = server.folder().string() + "/helm";
  std::vector<std::string> command = {"env",
                                      "HELM_CACHE_HOME=" + home,
                                      "HELM_CONFIG_HOME=" + home,
                                      "HELM_DATA_HOME=" + home,
                                      "KUBECONFIG=" + server.kubeconfig().string(),
                                      program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return printed(server, command, "");
}

Result<std::string> berth(const Server& server, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--kubeconfig", server.kubeconfig().string()});
  return berth_alone(server, arguments);
}

Result<std::string> berth_alone(const Server& server, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {berth_program().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return printed(server, command, "");
}

// With the rights that they have where they run in a cluster.
Result<Child> start_controllers(const Server& server, std::vector<std::string> flags) {
  ASSIGN_OR_RETURN(const std::filesystem::path kubeconfig,
                   install_account(server, controllers_account()));
  return start_controllers_with(server, kubeconfig, std::move(flags));
}

std::filesystem::path controllers_log(const Server& server) {
  return server.folder() / "controllers.log";
}

}  // namespace berth::kube
