// Required anti-affinity of pods that run already: whom they will not have in their neighbourhood.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/label_selector.h"
#include "api/labels.h"
#include "json/value.h"

namespace berth::nodes {

class AntiAffinityTerm {
 public:
  // Of the pod's required terms. One that cannot be read matches every pod: better to leave a place
  // empty than to break a promise that nobody can check.
  static std::vector<AntiAffinityTerm> read_all(const json::Value& pod);

  bool matches(std::string_view pod_namespace, const api::Labels& pod) const;
  const std::string& topology_key() const { return topology_key_; }

  // Whether it matches in all namespaces because which ones its selector means is not known.
  bool is_cautious() const { return cautious_; }

 private:
  api::LabelSelector selector_;
  std::vector<std::string> namespaces_;
  bool every_namespace_ = false;
  bool cautious_ = false;
  std::string topology_key_;
};

}  // namespace berth::nodes
