// ClusterBits: a set of clusters as one bit each, by their index in the fleet.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::placement {

// Names a cluster within one FleetView for as long as that view is not changed.
using ClusterIndex = std::uint32_t;

class ClusterBits {
 public:
  void set(ClusterIndex cluster) {
    const std::size_t word = cluster / kWordBits;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= bit(cluster);
  }

  void reset(ClusterIndex cluster) {
    if (cluster / kWordBits < words_.size()) words_[cluster / kWordBits] &= ~bit(cluster);
  }

  bool test(ClusterIndex cluster) const {
    return cluster / kWordBits < words_.size() && (words_[cluster / kWordBits] & bit(cluster)) != 0;
  }

  ClusterBits& operator|=(const ClusterBits& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }

  ClusterBits& operator-=(const ClusterBits& other) {
    const std::size_t common = std::min(words_.size(), other.words_.size());
    for (std::size_t i = 0; i < common; ++i) words_[i] &= ~other.words_[i];
    return *this;
  }

  std::size_t count() const {
    std::size_t bits = 0;
    for (const std::uint64_t word : words_) bits += static_cast<std::size_t>(std::popcount(word));
    return bits;
  }

  // In ascending order.
  std::vector<ClusterIndex> indices() const {
    std::vector<ClusterIndex> indices;
    indices.reserve(count());
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        indices.push_back(static_cast<ClusterIndex>(i * kWordBits) +
                          static_cast<ClusterIndex>(std::countr_zero(rest)));
      }
    }
    return indices;
  }

 private:
  static constexpr ClusterIndex kWordBits = 64;
  static std::uint64_t bit(ClusterIndex cluster) {
    return std::uint64_t{1} << (cluster % kWordBits);
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace berth::placement
