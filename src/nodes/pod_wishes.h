// What a pod that waits for a node asks of it besides room, and what of that Berth cannot give yet.

#pragma once

#include <string>
#include <vector>

#include "api/labels.h"
#include "api/taint.h"
#include "json/value.h"
#include "nodes/node_match.h"

namespace berth::nodes {

struct PodWishes {
  std::string node = {};  // spec.nodeName is empty while it waits; kept for what-if questions.
  std::vector<api::Label> labels = {};  // Its own, sorted by key.
  NodeMatch match = {};
  std::vector<api::Toleration> tolerations = {};
  std::vector<std::string> gates = {};  // Names of its schedulingGates.

  // What would have to be guessed: the pod is refused for each of these.
  std::vector<std::string> unsupported = {};

  // Mere preferences that are passed over: the pod is placed, and told.
  std::vector<std::string> unweighed = {};

  // It may expect that others are evicted for it, which nobody here does.
  bool expects_evictions = false;

  // Equal for pods that ask the same of a node object.
  std::string shape = {};

  static PodWishes from_json(const json::Value& pod);
};

}  // namespace berth::nodes
