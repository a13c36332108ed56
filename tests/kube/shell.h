// A shell as a user has it: with programs by their usual names, a kubeconfig, and a folder of its
// own for what it prints.

#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace berth::kube {

class Shell {
 public:
  struct Options {
    std::filesystem::path home;                                  // Is made.
    std::filesystem::path kubeconfig;                            // $KUBECONFIG.
    std::map<std::string, std::filesystem::path> programs = {};  // By the names they are called by.
    std::filesystem::path folder = {};  // Where commands run; empty: at home.
  };

  explicit Shell(Options options);

  // What the command prints on both outputs, masked; "(exit 1)" follows where it failed.
  std::string run(const std::string& command) const;

 private:
  Options options_;
};

}  // namespace berth::kube
