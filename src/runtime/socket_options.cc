#include "runtime/socket_options.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace berth::runtime {
namespace {

// Best effort: a socket on which an option fails will fail with a clearer error soon.
void set(int socket, int level, int option, int value) {
  ::setsockopt(socket, level, option, &value, sizeof value);
}

}  // namespace

void tune_stream(int socket) {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 30);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

}  // namespace berth::runtime
