// Runs score plugins: executables in one directory, each asked for its section of a generator.
//
// A plugin is foreign code. It gets no shell, nothing of our environment, a time limit and a limit
// on what it prints; what it leaves running is killed with it. Whatever it does ends as an error of
// its own entries.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/object_key.h"
#include "base/result.h"
#include "base/time.h"
#include "env/disk.h"
#include "env/process.h"
#include "scores/generators/generator.h"
#include "scores/generators/plugin_protocol.h"

namespace berth::scores {

struct PluginOptions {
  std::string directory = {};  // Empty: there are no plugins.
  Duration timeout = std::chrono::seconds(30);
};

class Plugins {
 public:
  // Both outlive this.
  Plugins(env::Processes& processes, const env::Disk& disk, PluginOptions options)
      : processes_(processes), disk_(disk), options_(std::move(options)) {}

  // Whether a file of that name is in the directory now.
  bool has(std::string_view plugin) const;

  using Done = std::move_only_function<void(Result<PluginScores>)>;

  // The callback runs once, later, on the loop. Messages of errors begin with a word for programs:
  // PluginNotFound, PluginTimeout, PluginOutputTooLarge, PluginFailed, PluginAnswerInvalid.
  void run(const api::ObjectKey& generator, const PluginSection& section, Done done);

 private:
  Result<PluginScores> read(const PluginSection& section, const Result<env::Exit>& exit) const;

  env::Processes& processes_;
  const env::Disk& disk_;
  PluginOptions options_;
};

}  // namespace berth::scores
