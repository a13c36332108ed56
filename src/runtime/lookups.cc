#include "runtime/lookups.h"

#include <thread>
#include <utility>

#include <fmt/core.h>
#include <netdb.h>

#include "runtime/mutex.h"

namespace berth::runtime {
namespace {

Result<std::vector<std::string>> look_up(const std::string& host, int flags) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (result != 0) {
    return failure(Code::ServiceUnavailable,
                   fmt::format("resolve {}: {}", host, ::gai_strerror(result)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  std::vector<std::string> hosts;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    char text[NI_MAXHOST] = "";
    ::getnameinfo(entry->ai_addr, entry->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
    hosts.emplace_back(text);
  }
  return hosts;
}

}  // namespace

struct Lookups::Home {
  Mutex mutex;
  Lookups* owner __attribute__((guarded_by(mutex))) = nullptr;  // Null: it is gone.
};

Result<std::vector<std::string>> look_up_by_system(const std::string& host) {
  return look_up(host, 0);
}

Lookups::Lookups(IoLoop& loop, LookUp look_up)
    : loop_(loop), look_up_(std::move(look_up)), home_(std::make_shared<Home>()) {
  const MutexLock lock(home_->mutex);
  home_->owner = this;
}

Lookups::~Lookups() {
  const MutexLock lock(home_->mutex);
  home_->owner = nullptr;
}

void Lookups::find(env::Address address, env::Resolved done) {
  const std::string host = address.host;
  auto numeric = host.empty() ? Result<std::vector<std::string>>(
                                    failure(Code::ServiceUnavailable, "resolve: no host is named"))
                              : look_up(host, AI_NUMERICHOST);
  const bool is_new = !waiting_.contains(host);
  const bool is_full = is_new && waiting_.size() >= kThreadsMax;
  if (is_full && !numeric.ok() && !host.empty()) {
    numeric = failure(Code::TooManyRequests,
                      fmt::format("resolve {}: too many names are being looked up", host));
  }
  waiting_[host].push_back({.address = std::move(address), .done = std::move(done)});
  const bool is_known = numeric.ok() || host.empty() || is_full;
  auto tell = [home = home_, host](Result<std::vector<std::string>> found) {
    const MutexLock lock(home->mutex);
    if (!home->owner) return;
    home->owner->loop_.post([home, host, found = std::move(found)] {
      // On the loop, where the owner dies: it cannot while this runs.
      Lookups* owner = nullptr;
      {
        const MutexLock inner(home->mutex);
        owner = home->owner;
      }
      if (owner) owner->answer(host, found);
    });
  };
  if (is_known) return tell(std::move(numeric));
  if (is_new) std::thread([tell, host, ask = look_up_] { tell(ask(host)); }).detach();
}

void Lookups::answer(const std::string& host, const Result<std::vector<std::string>>& found) {
  auto waiting = waiting_.extract(host);
  if (!waiting) return;
  for (Waiting& one : waiting.mapped()) {
    if (!found.ok()) {
      one.done(failure(found.error()));
      continue;
    }
    std::vector<env::Address> addresses;
    for (const std::string& text : *found) {
      addresses.push_back({.host = text, .port = one.address.port});
    }
    one.done(std::move(addresses));
  }
}

}  // namespace berth::runtime
