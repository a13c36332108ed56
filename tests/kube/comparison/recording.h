// Observations in a file: a head, then one line of JSON for each. Everything in it was said by the
// reference and its server, nothing by Berth.
//
//   {"seed":7,"step":3,"edit":"delete ManagedCluster c04 null",
//    "edited_at":"...","edited":{"ManagedCluster":{"c04":null}},
//    "settled_at":"...","settled":{"Placement":{"ns1/p1":{"status":...}},"answers":{...}}}
//
// `edited` and `settled` are merge patches, each of the document that the one before it has made;
// every seed begins with an empty one.

#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/result.h"
#include "json/value.h"
#include "kube/comparison/observation.h"

namespace berth::kube {

class Recorder {
 public:
  static Result<Recorder> create(const std::filesystem::path& file, const json::Value& head);

  Status write(const Observation& seen);

 private:
  std::ofstream file_;
  std::optional<std::uint64_t> seed_;
  json::Value document_;
};

class Recording {
 public:
  static Result<Recording> open(const std::filesystem::path& file);

  const json::Value& head() const { return head_; }

  // Nothing at the end.
  Result<std::optional<Observation>> next();

 private:
  std::ifstream file_;
  json::Value head_;
  std::optional<std::uint64_t> seed_;
  json::Value document_;
};

}  // namespace berth::kube
