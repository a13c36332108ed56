// A guide of docs/guides/ as its own test: the commands in it, in order, with what they show.
//
//   ```console
//   $ kubectl create -f - <<END
//   > {apiVersion: v1, kind: Namespace, metadata: {name: one}}
//   > END
//   namespace/one created
//   ```
//
// Blocks of `console` are run, and print what they show. Blocks of `sh` are run as one script and
// succeed, whatever they print. A block that begins with kNotRun says why it cannot be run by a
// test. All other blocks (yaml, json, text) are to look at.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::kube {

inline constexpr std::string_view kNotRun = "# Not run by the tests: ";

struct GuideStep {
  std::string command = {};
  int line = 0;  // In the guide, of the command; the first line is 1.
  bool shows_output = false;
  std::vector<std::string> output = {};
  int output_line = 0;  // Where the output begins, or would.
};

struct Guide {
  std::vector<std::string> lines = {};
  std::vector<GuideStep> steps = {};
  std::vector<std::string> not_run = {};  // The reasons.
};

// The error names the line.
Result<Guide> parse_guide(std::string_view text);

// The guide with other outputs, by step.
std::string with_outputs(const Guide& guide, const std::vector<std::string>& outputs);

// Whether that is what the guide shows. What differs from run to run is left out of account (see
// masked()); "..." in the guide stands for anything in a line, a line of "..." for any lines.
bool is_shown(const GuideStep& step, const std::string& printed);

// The same for a program that goes on: what it has printed so far begins so.
bool begins_as_shown(const GuideStep& step, const std::string& printed);

}  // namespace berth::kube
