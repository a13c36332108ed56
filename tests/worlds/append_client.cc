#include "append_client.h"

#include <utility>

#include <fmt/core.h>

#include "base/strings.h"

namespace berth::worlds {
namespace {

constexpr Duration kRetryAfter = std::chrono::milliseconds(100);
constexpr Duration kPatience = std::chrono::seconds(2);

}  // namespace

std::string append_id(const std::string& name, std::size_t number) {
  constexpr std::size_t kPadding = 700;
  return fmt::format("{}-{}-{}", name, number, std::string(kPadding, 'x'));
}

AppendClient::AppendClient(env::Env& env, AppendClientOptions options)
    : env_(env), options_(std::move(options)) {
  connect();
}

void AppendClient::connect() {
  env_.network.connect({.address = options_.server, .connect_timeout = kPatience},
                       scope_.guard([this](Result<std::unique_ptr<env::Stream>> stream) {
                         if (!stream.ok()) return reconnect();
                         stream_ = std::move(*stream);
                         lines_ = {};
                         stream_->start(*this);
                         ask();
                       }));
}

void AppendClient::reconnect() {
  // Also ends when called from inside the stream's own callback.
  timer_ = env::after(env_.loop, env_.clock, kRetryAfter, [this] {
    stream_.reset();
    connect();
  });
}

void AppendClient::ask() {
  if (is_done() || !stream_) return;
  stream_->write(fmt::format("append {}\n", append_id(options_.name, answers_.size())));
  timer_ = env::after(env_.loop, env_.clock, kPatience, [this] { reconnect(); });
}

void AppendClient::on_received(std::string_view bytes) {
  const bool fine = lines_.feed(bytes, [this](std::string_view line) { return on_line(line); });
  if (!fine) reconnect();
}

bool AppendClient::on_line(std::string_view line) {
  const std::vector<std::string_view> words = split(line, ' ');
  const std::string expected = append_id(options_.name, answers_.size());
  const auto index = words.size() == 3 ? parse_uint64(words[2]) : std::nullopt;
  // An answer to a question that was asked twice.
  if (!index || words[0] != "ok" || words[1] != expected) return true;
  answers_.push_back({.id = expected, .index = *index});
  timer_ = env::after(env_.loop, env_.clock, options_.pause, [this] { ask(); });
  return true;
}

void AppendClient::on_closed(const Status& why) {
  if (!why.ok()) env_.log.debug("client.closed", {{"error", why.error().message}});
  reconnect();
}

}  // namespace berth::worlds
