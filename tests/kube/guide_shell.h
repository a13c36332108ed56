// The terminals of somebody who follows a guide: commands run one after the other in one shell,
// and those that go on until they are stopped run in terminals of their own.

#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "kube/child.h"

namespace berth::kube {

class GuideShell {
 public:
  struct Options {
    std::filesystem::path folder;                                // Is made, and deleted at the end.
    std::map<std::string, std::filesystem::path> programs = {};  // By the names they are called by.
    std::map<std::string, std::filesystem::path> files = {};  // Links in the folder it begins in.
  };

  explicit GuideShell(Options options);
  ~GuideShell();

  // What the command prints on both outputs; "(exit 1)" follows where it failed. Variables that it
  // exports and the folder that it goes to are there for the next.
  std::string run(const std::string& command);

  // Starts it in a terminal of its own, and says what it has printed there so far.
  Status start(const std::string& command);
  std::string printed_by_last() const;
  std::string complaints() const;  // What it has said about itself elsewhere.
  bool last_is_running() { return terminals_.back().running(); }

 private:
  std::filesystem::path home() const { return options_.folder / "home"; }
  std::string beginning() const;
  std::string with_known_names(std::string text) const;

  Options options_;
  std::vector<Child> terminals_;
};

}  // namespace berth::kube
