#include "kube/commands.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::kube {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

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

std::string kubectl_until(const Server& server, const std::vector<std::string>& arguments,
                          const std::string& expected) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const auto output = kubectl(server, arguments);
    const std::string text = output.ok() ? *output : output.error().message;
    if (text == expected || std::chrono::steady_clock::now() > deadline) return text;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

Result<std::string> berth(const Server& server, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {BERTH_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--kubeconfig", server.kubeconfig().string()});
  return printed(server, command, "");
}

Result<Child> start_controllers(const Server& server, std::vector<std::string> flags) {
  std::vector<std::string> command = {BERTH_PROGRAM,
                                      "controllers",
                                      "--kubeconfig",
                                      server.kubeconfig().string(),
                                      "--health-probe-bind-address=0",
                                      "--metrics-bind-address=0"};
  command.insert(command.end(), flags.begin(), flags.end());
  return Child::start(command, controllers_log(server));
}

std::filesystem::path controllers_log(const Server& server) {
  return server.folder() / "controllers.log";
}

}  // namespace berth::kube
