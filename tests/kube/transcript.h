// A transcript: commands as a user types them, each with what it must print. Where versions of the
// tool differ, the difference stands there:
//
//   # Says why a reader should care.
//   $ kubectl create -f - <<END
//   > {apiVersion: v1, kind: Namespace, metadata: {name: one}}
//   > END
//     namespace/one created
//
//   $ kubectl frobnicate
//   [1.30]
//     error: unknown command
//     (exit 1)
//   [1.35 1.36]
//     frobnicated

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::kube {

struct TranscriptStep {
  std::vector<std::string> comment = {};
  std::string command;
  std::map<std::string, std::string> expected = {};  // By version.
};

struct Transcript {
  std::vector<TranscriptStep> steps = {};
  std::vector<std::string> versions;  // All that there are.
};

// The error names the line.
Result<Transcript> parse_transcript(std::string_view text, std::vector<std::string> versions);
std::string print_transcript(const Transcript& transcript);

// What differs from run to run (ages, times, uids, revisions, tokens, ports) becomes a word in
// capitals; spaces at the ends of lines and empty lines at the end go.
std::string masked(std::string text);

}  // namespace berth::kube
