#include "kube/ports.h"

#include <filesystem>
#include <string>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"

namespace berth::kube {
namespace {

// Below those that Linux gives to whoever asks for any.
constexpr int kFirst = 16'384;
constexpr int kCount = 16'384;
constexpr int kApart = 64;  // Where programs that start one after the other begin to look.

// Each byte of it stands for the port of that number: who has locked it has the port. The system
// unlocks what a process leaves behind, however that ends.
int open_claims() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("berth-test-ports-" + std::to_string(::getuid()));
  const int claims = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  CHECK(claims >= 0);
  return claims;
}

// As strict as can be: no SO_REUSEADDR, so that nothing of an earlier server lingers there.
bool can_be_bound(int port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool bound =
      ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(listener);
  return bound;
}

}  // namespace

int free_port() {
  static int next = ::getpid() * kApart;
  for (int tried = 0;; ++tried) {
    CHECK(tried < kCount);
    const int port = kFirst + next++ % kCount;
    if (claim_port(port) && can_be_bound(port)) return port;
  }
}

bool claim_port(int port) {
  static const int claims = open_claims();  // Never closed: that would give all of them back.
  struct flock byte = {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = port;
  byte.l_len = 1;
  return ::fcntl(claims, F_SETLK, &byte) == 0;
}

}  // namespace berth::kube
