// Tested by socket_network_test.cc.

#include "runtime/channel.h"

#include <cerrno>

#include <sys/socket.h>

#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(int fd) : fd_(fd) {}

  Progress handshake() override { return {}; }

  Progress read(std::span<char> into) override {
    const ssize_t received = ::recv(fd_, into.data(), into.size(), 0);
    if (received > 0) return {.bytes = static_cast<std::size_t>(received)};
    if (received == 0) return {.need = Need::End};
    return waiting(Need::Readability, "receive");
  }

  Progress write(std::string_view bytes) override {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) return {.bytes = static_cast<std::size_t>(sent)};
    return waiting(Need::Writability, "send");
  }

  Progress end() override {
    ::shutdown(fd_, SHUT_WR);
    return {};
  }

  bool has_pending() const override { return false; }
  void describe(env::Peer& /*peer*/) const override {}

 private:
  Progress waiting(Need need, std::string_view doing) const {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {.need = need};
    return {.need = Need::Failure, .error = network_error(errno, doing)};
  }

  int fd_;
};

}  // namespace

std::unique_ptr<Channel> make_plain_channel(int fd) { return std::make_unique<PlainChannel>(fd); }

}  // namespace berth::runtime
