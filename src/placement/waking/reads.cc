#include "placement/waking/reads.h"

namespace berth::placement {
namespace {

void add_keys(const api::LabelSelector& selector, Reads::Names& keys) {
  for (const api::LabelRequirement& requirement : selector.requirements()) {
    keys.insert(requirement.key());
  }
}

}  // namespace

void Reads::add_labels(const api::LabelSelector& selector) { add_keys(selector, labels); }

void Reads::add_claims(const api::LabelSelector& selector) { add_keys(selector, claims); }

void Reads::add(const Reads& other) {
  labels.insert(other.labels.begin(), other.labels.end());
  claims.insert(other.claims.begin(), other.claims.end());
  allocatable.insert(other.allocatable.begin(), other.allocatable.end());
  whole_objects = whole_objects || other.whole_objects;
  any_score = any_score || other.any_score;
  reports.insert(other.reports.begin(), other.reports.end());
  scores.insert(other.scores.begin(), other.scores.end());
}

}  // namespace berth::placement
