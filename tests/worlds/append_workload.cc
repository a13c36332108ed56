#include "append_workload.h"

#include <utility>

#include <fmt/core.h>

#include "sim/world.h"

namespace berth::worlds {
namespace {

constexpr std::size_t kClients = 3;
constexpr std::size_t kLinesPerClient = 100;
const env::Address kLogAddress = {.host = "log", .port = 7000};

}  // namespace

void AppendWorkload::start(sim::World& world) {
  sim::Node& node = world.add_node("log");
  node.start([this, &node](std::span<env::Env> loops) { return start_log(loops[0], node); });
  for (std::size_t i = 0; i < kClients; ++i) {
    const std::string name = fmt::format("client{}", i);
    clients_.emplace_back();
    for (std::size_t line = 0; line < kLinesPerClient; ++line) {
      askable_.insert(append_id(name, line));
    }
    world.add_node(name, {.crashes = false}).start([this, i, name](std::span<env::Env> loops) {
      auto client = std::make_shared<AppendClient>(
          loops[0], AppendClientOptions{.server = kLogAddress,
                                        .name = name,
                                        .count = kLinesPerClient,
                                        .pause = std::chrono::milliseconds(100)});
      clients_[i] = client;
      return client;
    });
  }
}

std::shared_ptr<void> AppendWorkload::start_log(env::Env& env, sim::Node& node) {
  // As a supervisor does: a process that ends is started again.
  const auto end = [&node](const Error& /*why*/) {
    node.crash(sim::Crash::Process);
    node.restart_after(std::chrono::seconds(1));
  };
  auto log = std::make_shared<AppendLog>(
      env, AppendLogOptions{.directory = "/data", .listen = kLogAddress, .mistake = mistake_}, end);
  if (const Status opened = log->open(); !opened.ok()) end(opened.error());
  log_ = log;
  return log;
}

Status AppendWorkload::check() {
  const auto log = log_.lock();
  if (!log || !log->is_open()) return {};
  std::size_t answers = 0;
  for (const auto& each : clients_) {
    // Before the first event the clients do not exist yet.
    const auto client = each.lock();
    if (!client) return {};
    answers += client->answers().size();
  }
  const std::pair state(log->entries().size(), answers);
  if (std::exchange(seen_, state) == state) return {};
  RETURN_IF_ERROR(check_entries(log->entries()));
  return check_answers(log->entries());
}

Status AppendWorkload::check_entries(const std::vector<std::string>& entries) const {
  if (std::set(entries.begin(), entries.end()).size() != entries.size()) {
    return failure(Code::InternalError, "an entry is in the log twice");
  }
  for (const std::string& entry : entries) {
    if (askable_.contains(entry)) continue;
    return failure(Code::InternalError, "the log has an entry that nobody wrote");
  }
  return {};
}

Status AppendWorkload::check_answers(const std::vector<std::string>& entries) const {
  for (const auto& client : clients_) {
    for (const AppendClient::Answer& answer : client.lock()->answers()) {
      if (answer.index < entries.size() && entries[answer.index] == answer.id) continue;
      return failure(
          Code::InternalError,
          fmt::format("{} was acknowledged as entry {}, which is {}", answer.id, answer.index,
                      answer.index < entries.size() ? entries[answer.index] : "gone"));
    }
  }
  return {};
}

Status AppendWorkload::settled() {
  for (const auto& each : clients_) {
    const auto client = each.lock();
    if (client && client->is_done()) continue;
    return failure(Code::Timeout, "a client waits for an answer");
  }
  const auto log = log_.lock();
  if (log && log->is_open()) return {};
  return failure(Code::Timeout, "the log is not open");
}

sim::Suite append_suite(Mistake mistake) {
  return {.name = "append-log",
          .make = [mistake] { return std::make_unique<AppendWorkload>(mistake); },
          .faults = {"bad-network", "clock-errors", "clogs", "cut-streams", "disk-errors",
                     "full-disks", "kills", "partitions", "power-losses", "slow-disks"}};
}

}  // namespace berth::worlds
