// Which node objects accept which pods, remembered for each shape of pod: pods of one template ask
// the same of a node, and nodes seldom change.
//
// Node changes are only noted; a shape catches up when the next pod of it comes. So neither nodes
// that did not change nor shapes that nobody uses cost anything.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nodes/cycle.h"
#include "nodes/profile.h"

namespace berth::nodes {

class Shapes {
 public:
  // One bit for each NodeSlot. Nodes that are not there have any value.
  class Accepted {
   public:
    bool test(NodeSlot node) const { return (words_[node / 64] >> (node % 64) & 1) != 0; }

   private:
    friend class Shapes;
    std::vector<std::uint64_t> words_;
  };

  // The object of that node is another one now.
  void on_node(NodeSlot node) { changed_.push_back(node); }

  // By the filters of the profile that read nothing but the node object. Valid until the next call.
  const Accepted& accepted(const Cycle& cycle, const Profile& profile);

  std::size_t size() const { return count_; }

 private:
  struct Shape {
    Accepted accepted = {};
    std::uint64_t epoch = 0;
    std::size_t seen = 0;  // Of changed_, in that epoch.
    std::uint64_t used = 0;
  };
  static constexpr std::size_t kShapesMax = 1024;

  void forget_some();
  void start_epoch();

  using OfProfile = std::map<std::string, Shape, std::less<>>;

  std::map<std::string, OfProfile, std::less<>> shapes_;  // By schedulerName.
  std::size_t count_ = 0;
  std::vector<NodeSlot> changed_;
  std::uint64_t epoch_ = 1;
  std::uint64_t uses_ = 0;
};

}  // namespace berth::nodes
