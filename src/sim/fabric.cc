// Tested by sim_network_test.cc.

#include "sim/fabric.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/check.h"
#include "sim/conversation.h"

namespace berth::sim {

Fabric::Fabric(Schedule& schedule, Trace& trace, Random random)
    : schedule_(schedule), trace_(trace), random_(random) {}

void Fabric::block(const std::string& from, const std::string& to) {
  trace_.add("block", from, to);
  blocked_.insert({from, to});
}

void Fabric::unblock(const std::string& from, const std::string& to) {
  trace_.add("unblock", from, to);
  blocked_.erase({from, to});
}

void Fabric::clog(const std::string& from, const std::string& to, Moment until) {
  trace_.add("clog", from, to, until);
  clogged_[{from, to}] = until;
}

void Fabric::heal() {
  trace_.add("heal");
  blocked_.clear();
  clogged_.clear();
}

bool Fabric::passes(const std::string& from, const std::string& to) const {
  const auto host = hosts_.find(to);
  return host != hosts_.end() && host->second.powered && !blocked_.contains({from, to});
}

Moment Fabric::clogged_until(const std::string& from, const std::string& to) const {
  const auto clogged = clogged_.find({from, to});
  return clogged == clogged_.end() ? Moment::zero() : clogged->second;
}

Duration Fabric::draw_latency() {
  Duration latency(random_.between(options.latency_min.count(), options.latency_max.count()));
  for (int tries = 0; tries < 5 && random_.chance(options.loss); ++tries) {
    latency += options.resend_after;
  }
  return latency;
}

std::size_t Fabric::draw_segment(std::size_t most) {
  const std::size_t bound = std::min(most, options.segment_max);
  // Mostly whole pieces; sometimes a cut anywhere, because readers must not rely on boundaries.
  return random_.chance(0.5) ? bound : 1 + random_.below(bound);
}

void Fabric::add_host(const std::string& name) { CHECK(hosts_.try_emplace(name).second); }

void Fabric::set_powered(const std::string& name, bool powered) {
  hosts_.at(name).powered = powered;
}

void Fabric::enrol(std::shared_ptr<Conversation> conversation) {
  if (conversations_.size() % 64 == 0) {
    std::erase_if(conversations_, [](const auto& each) { return each.expired(); });
  }
  conversations_.push_back(std::move(conversation));
}

std::vector<std::shared_ptr<Conversation>> Fabric::live_conversations() {
  std::vector<std::shared_ptr<Conversation>> live;
  for (const auto& each : conversations_) {
    if (auto conversation = each.lock(); conversation && conversation->is_open()) {
      live.push_back(std::move(conversation));
    }
  }
  return live;
}

std::size_t Fabric::open_streams() { return live_conversations().size(); }

std::size_t Fabric::cut_streams(const std::string& a, const std::string& b) {
  std::size_t count = 0;
  for (const auto& conversation : live_conversations()) {
    if (!conversation->is_between(a, b)) continue;
    conversation->cut();
    ++count;
  }
  return count;
}

void Fabric::mute_streams(const std::string& a, const std::string& b) {
  for (const auto& conversation : live_conversations()) {
    if (conversation->is_between(a, b)) conversation->mute();
  }
}

std::size_t Fabric::cut_any_stream(Random& random) {
  const auto live = live_conversations();
  if (live.empty()) return 0;
  live[random.below(live.size())]->cut();
  return 1;
}

void Fabric::drop_streams_of(const std::string& host) {
  for (const auto& conversation : live_conversations()) conversation->lose_host(host);
}

Result<std::uint16_t> Fabric::bind(const std::string& host, std::uint16_t port,
                                   SimListener& listener) {
  Host& machine = hosts_.at(host);
  if (port == 0) {
    while (machine.listeners.contains(machine.next_port)) ++machine.next_port;
    port = machine.next_port++;
  }
  if (!machine.listeners.try_emplace(port, &listener).second) {
    return failure(Code::ServiceUnavailable,
                   fmt::format("listen on {}:{}: Address already in use", host, port));
  }
  return port;
}

void Fabric::unbind(const std::string& host, std::uint16_t port) {
  hosts_.at(host).listeners.erase(port);
}

SimListener* Fabric::listener_at(const std::string& host, std::uint16_t port) const {
  const auto& listeners = hosts_.at(host).listeners;
  const auto listener = listeners.find(port);
  return listener == listeners.end() ? nullptr : listener->second;
}

}  // namespace berth::sim
