// Tested by sim_network_test.cc.

#include "sim/dialling.h"

#include <utility>

#include <fmt/core.h>

#include "sim/conversation.h"
#include "sim/inband_tls.h"
#include "sim/sim_network.h"
#include "sim/sim_stream.h"
#include "sim/sim_tls.h"

namespace berth::sim {
namespace {

bool is_own(const std::string& host) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

std::optional<InbandServer::Terms> terms_of(const SimListener& listener) {
  const env::ListenOptions& options = listener.options();
  return InbandServer::Terms{.tls = *options.tls, .handshake_timeout = options.handshake_timeout};
}

}  // namespace

Dialling::Dialling(Fabric& fabric, Caller caller, env::ConnectOptions options, env::Connected done)
    : fabric_(fabric),
      caller_(std::move(caller)),
      options_(std::move(options)),
      done_(std::move(done)),
      target_(is_own(options_.address.host) ? caller_.host : options_.address.host) {}

void Dialling::after_latency(env::Task task) {
  fabric_.schedule().add(fabric_.schedule().now() + fabric_.draw_latency(), std::move(task));
}

void Dialling::begin() {
  const auto self = shared_from_this();
  if (!fabric_.has_host(target_)) {
    return finish(
        failure(Code::ServiceUnavailable, fmt::format("resolve {}: no such host", target_)));
  }
  fabric_.schedule().add(fabric_.schedule().now() + options_.connect_timeout, [self] {
    self->finish(failure(
        Code::Timeout, fmt::format("connect to {}: timed out", to_string(self->options_.address))));
  });
  after_latency([self] { self->knock(); });
}

void Dialling::knock() {
  if (finished_) return;
  const auto self = shared_from_this();
  const Moment now = fabric_.schedule().now();
  const Moment clogged = fabric_.clogged_until(caller_.host, target_);
  if (clogged > now) {
    fabric_.schedule().add(clogged, [self] { self->knock(); });
  } else if (fabric_.passes(caller_.host, target_)) {
    answer();
  } else {
    fabric_.schedule().add(now + next_try_, [self] { self->knock(); });
    next_try_ *= 2;
  }
}

void Dialling::answer() {
  SimListener* listener = fabric_.listener_at(target_, options_.address.port);
  const auto place = listener ? listener->next_place() : nullptr;
  if (!place) {
    return answer_reaches(
        failure(Code::ServiceUnavailable,
                fmt::format("connect to {}: Connection refused", to_string(options_.address))));
  }
  // Whoever comes without TLS may still begin it on the open stream.
  const bool in_band = !options_.tls && listener->options().tls;
  auto introduction = in_band ? Result<Introduction>(Introduction{})
                              : introduce(options_.tls, listener->options().tls);
  if (!introduction.ok()) return answer_reaches(failure(std::move(introduction).error()));

  introduction->server.address = {.host = target_, .port = options_.address.port};
  introduction->client.address = {.host = caller_.host, .port = 1};
  auto conversation = std::make_shared<Conversation>(
      fabric_,
      Conversation::Party{
          .host = caller_.host, .loop = caller_.loop, .peer = std::move(introduction->server)},
      Conversation::Party{
          .host = target_, .loop = place->loop, .peer = std::move(introduction->client)});
  fabric_.enrol(conversation);
  auto stream =
      std::make_unique<SimStream>(conversation, Conversation::kServer, listener->take_ticket());
  place->loop->post([place, terms = in_band ? terms_of(*listener) : std::nullopt,
                     stream = std::move(stream), &fabric = fabric_]() mutable {
    if (!terms) return place->accepted(std::move(stream));
    std::make_shared<InbandServer>(fabric, std::move(stream), *std::move(terms),
                                   [place](auto greeted) { place->accepted(std::move(greeted)); })
        ->begin();
  });
  answer_reaches(std::make_unique<SimStream>(conversation, Conversation::kClient, nullptr));
}

void Dialling::answer_reaches(Result<std::unique_ptr<env::Stream>> result) {
  after_latency([self = shared_from_this(), result = std::move(result)]() mutable {
    if (self->finished_) return;
    const bool passes = self->fabric_.passes(self->target_, self->caller_.host);
    if (passes) return self->finish(std::move(result));
    // It is sent again until the caller has given up; then the stream dies with this answer.
    self->fabric_.schedule().add(
        self->fabric_.schedule().now() + self->fabric_.options.resend_after,
        [self, result = std::move(result)]() mutable { self->answer_reaches(std::move(result)); });
  });
}

void Dialling::finish(Result<std::unique_ptr<env::Stream>> result) {
  if (finished_) return;
  finished_ = true;
  fabric_.trace().add("connect", fabric_.schedule().now(), caller_.host, target_, result.ok());
  caller_.loop->post(
      [done = std::move(done_), result = std::move(result)]() mutable { done(std::move(result)); });
}

}  // namespace berth::sim
