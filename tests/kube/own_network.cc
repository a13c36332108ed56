#include "kube/own_network.h"

#include <cstring>

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace berth::kube {
namespace {

// A new network has only the loopback interface, and that is down.
bool raise_loopback() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return false;
  ifreq request = {};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool is_up = ::ioctl(socket, SIOCSIFFLAGS, &request) == 0;
  ::close(socket);
  return is_up;
}

}  // namespace

OwnNetwork::OwnNetwork() {
  before_ = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  if (before_ < 0) return;
  const bool has_left = ::unshare(CLONE_NEWNET) == 0;
  if (has_left && raise_loopback()) return;
  if (has_left) ::setns(before_, CLONE_NEWNET);
  ::close(before_);
  before_ = -1;
}

OwnNetwork::~OwnNetwork() {
  if (before_ < 0) return;
  ::setns(before_, CLONE_NEWNET);
  ::close(before_);
}

}  // namespace berth::kube
