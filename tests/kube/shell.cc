#include "kube/shell.h"

#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "kube/child.h"
#include "kube/contents.h"
#include "kube/transcript.h"

namespace berth::kube {
Shell::Shell(Options options) : options_(std::move(options)) {
  if (options_.folder.empty()) options_.folder = options_.home;
  std::filesystem::create_directories(options_.home / "bin");
  for (const auto& [name, program] : options_.programs) {
    std::filesystem::create_symlink(program, options_.home / "bin" / name);
  }
}

std::string Shell::run(const std::string& command) const {
  std::ofstream(options_.home / "script") << fmt::format(
      "export HOME='{0}' KUBECONFIG='{1}' PATH=\"{0}/bin:$PATH\" LC_ALL=C\n"
      "cd '{2}'\n{{\n{3}\n}} >'{0}/output' 2>&1\ncode=$?\n"
      "[ $code = 0 ] || printf '(exit %s)\\n' $code >>'{0}/output'\n",
      options_.home.string(), options_.kubeconfig.string(), options_.folder.string(), command);
  if (const Status status = kube::run({"sh", (options_.home / "script").string()}); !status.ok()) {
    return status.error().message;
  }
  return masked(contents(options_.home / "output"));
}

}  // namespace berth::kube
