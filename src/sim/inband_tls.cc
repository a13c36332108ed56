#include "sim/inband_tls.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "sim/sim_tls.h"

namespace berth::sim {
namespace {

constexpr std::string_view kHello = "simulated TLS: hello\n";
constexpr std::string_view kAnswer = "simulated TLS: answer\n";
constexpr std::size_t kHelloMax = 1 << 20;

using Fields = std::vector<std::string>;

// The magic word, then "COUNT\n", then for each field "SIZE\n" and its bytes.
std::string pack(std::string_view magic, const Fields& fields) {
  std::string bytes = std::string(magic) + std::to_string(fields.size()) + "\n";
  for (const std::string& field : fields) bytes += std::to_string(field.size()) + "\n" + field;
  return bytes;
}

enum class Reading : std::uint8_t { Incomplete, Complete, Foreign };

struct Unpacked {
  Reading state = Reading::Incomplete;
  Fields fields = {};
  std::string_view rest = {};  // What follows.
};

std::optional<std::uint64_t> take_number(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const auto number =
      end == std::string_view::npos || end > 9 ? std::nullopt : parse_uint64(bytes.substr(0, end));
  if (number) bytes.remove_prefix(end + 1);
  return number;
}

Unpacked unpack(std::string_view magic, std::string_view bytes) {
  const std::string_view start = bytes.substr(0, magic.size());
  if (start != magic.substr(0, start.size())) return {.state = Reading::Foreign};
  if (bytes.size() > kHelloMax) return {.state = Reading::Foreign};
  if (bytes.size() <= magic.size()) return {};
  bytes.remove_prefix(magic.size());
  const auto count = take_number(bytes);
  if (!count) return {};
  Unpacked result{.state = Reading::Complete};
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto size = take_number(bytes);
    if (!size || bytes.size() < *size) return {};
    result.fields.emplace_back(bytes.substr(0, *size));
    bytes.remove_prefix(*size);
  }
  result.rest = bytes;
  return result;
}

// Keys stay at home, as in the real one.
Fields fields_of(const env::TlsClient& tls) {
  Fields fields = {tls.authorities_pem, tls.trust == env::TlsTrust::Verify ? "verify" : "anything",
                   tls.identity.certificates_pem};
  fields.insert(fields.end(), tls.protocols.begin(), tls.protocols.end());
  return fields;
}

std::optional<env::TlsClient> client_of(const Fields& fields) {
  if (fields.size() < 3) return std::nullopt;
  return env::TlsClient{
      .authorities_pem = fields[0],
      .trust = fields[1] == "verify" ? env::TlsTrust::Verify : env::TlsTrust::Anything,
      .identity = {.certificates_pem = fields[2]},
      .protocols = {fields.begin() + 3, fields.end()}};
}

Fields answer_of(const Result<Introduction>& introduction) {
  if (!introduction.ok()) {
    const bool unauthorized = introduction.error().code == Code::Unauthorized;
    return {unauthorized ? "unauthorized" : "failed", introduction.error().message};
  }
  Fields fields = {"welcome", introduction->server.protocol};
  const auto& chain = introduction->server.certificates;
  fields.insert(fields.end(), chain.begin(), chain.end());
  return fields;
}

Error foreign() {
  return {.code = Code::ServiceUnavailable, .message = "TLS handshake: the peer speaks no TLS"};
}

// What the answer tells about the server, beside its address.
Result<env::Peer> peer_of(const Fields& fields, const env::Peer& before) {
  if (fields.size() < 2) return failure(foreign());
  if (fields[0] != "welcome") {
    const bool unauthorized = fields[0] == "unauthorized";
    return failure(unauthorized ? Code::Unauthorized : Code::ServiceUnavailable, fields[1]);
  }
  return env::Peer{.address = before.address,
                   .protocol = fields[1],
                   .certificates = {fields.begin() + 2, fields.end()}};
}

}  // namespace

InbandClient::InbandClient(Fabric& fabric, std::unique_ptr<SimStream> stream,
                           env::SecureOptions options, env::Connected done)
    : fabric_(fabric),
      stream_(std::move(stream)),
      options_(std::move(options)),
      done_(std::move(done)) {}

void InbandClient::begin() {
  fabric_.schedule().add(fabric_.schedule().now() + options_.handshake_timeout,
                         [self = shared_from_this()] {
                           self->finish(failure(Code::Timeout, "TLS handshake: timed out"));
                         });
  stream_->start(*this);
  stream_->write(pack(kHello, fields_of(options_.tls)));
}

void InbandClient::on_received(std::string_view bytes) {
  if (!stream_) return;
  received_ += bytes;
  const Unpacked answer = unpack(kAnswer, received_);
  if (answer.state == Reading::Incomplete) return;
  if (answer.state == Reading::Foreign) return finish(failure(foreign()));
  unread_ = answer.rest;  // A server may go on at once.
  finish(peer_of(answer.fields, stream_->peer()));
}

void InbandClient::on_ended() {
  finish(failure(Code::ServiceUnavailable, "TLS handshake: the peer ended it"));
}

void InbandClient::on_closed(const Status& why) {
  finish(failure(why.ok() ? foreign() : Error(why.error()).in_context("TLS handshake")));
}

void InbandClient::finish(Result<env::Peer> outcome) {
  if (!stream_) return;
  const std::shared_ptr<SimLoop> loop = stream_->loop();
  Result<std::unique_ptr<env::Stream>> result = failure(foreign());
  if (outcome.ok()) {
    stream_->detach(*std::move(outcome), unread_);
    result = std::unique_ptr<env::Stream>(std::move(stream_));
  } else {
    stream_.reset();
    result = failure(std::move(outcome).error());
  }
  loop->post(
      [done = std::move(done_), result = std::move(result)]() mutable { done(std::move(result)); });
}

InbandServer::InbandServer(Fabric& fabric, std::unique_ptr<SimStream> stream, Terms terms,
                           Greeted greeted)
    : fabric_(fabric),
      stream_(std::move(stream)),
      terms_(std::move(terms)),
      greeted_(std::move(greeted)) {}

void InbandServer::begin() {
  fabric_.schedule().add(fabric_.schedule().now() + terms_.handshake_timeout,
                         [self = shared_from_this()] { self->stream_.reset(); });
  stream_->start(*this);
}

void InbandServer::on_received(std::string_view bytes) {
  if (!stream_) return;
  received_ += bytes;
  const Unpacked hello = unpack(kHello, received_);
  if (hello.state == Reading::Incomplete) return;
  const auto client = client_of(hello.fields);
  // A client does not go on before it is answered.
  const bool stranger = hello.state == Reading::Foreign || !hello.rest.empty();
  if (stranger || !client) return stream_.reset();
  const auto introduction = introduce(*client, terms_.tls);
  stream_->write(pack(kAnswer, answer_of(introduction)));
  if (!introduction.ok()) return stream_->shutdown_write();
  env::Peer peer = introduction->client;
  peer.address = stream_->peer().address;
  stream_->detach(std::move(peer), {});
  greeted_(std::move(stream_));
}

}  // namespace berth::sim
