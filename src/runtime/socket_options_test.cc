#include "runtime/socket_options.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "runtime/fd.h"

namespace berth::runtime {
namespace {

int option(const Fd& socket, int level, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  ::getsockopt(socket.number(), level, name, &value, &length);
  return value;
}

TEST(SocketOptions, SendAtOnceAndNoticeVanishedPeers) {
  const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  tune_stream(socket.number());
  EXPECT_NE(option(socket, IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_NE(option(socket, SOL_SOCKET, SO_KEEPALIVE), 0);
  EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_KEEPIDLE), 30);
}

}  // namespace
}  // namespace berth::runtime
