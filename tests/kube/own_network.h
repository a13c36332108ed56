// A network of one's own: programs that a test starts while this lives find every port free, also
// the usual ones that guides speak of.

#pragma once

namespace berth::kube {

// For programs that the thread starts that made it. Where the system does not allow it, they share
// the network of all, and a port that somebody has taken is told by who wanted it.
class OwnNetwork {
 public:
  OwnNetwork();
  ~OwnNetwork();

  OwnNetwork(const OwnNetwork&) = delete;
  OwnNetwork& operator=(const OwnNetwork&) = delete;

 private:
  int before_ = -1;  // The network of all; -1: we never left it.
};

}  // namespace berth::kube
