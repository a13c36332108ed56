#include "scores/generators/probes/probe_service.h"

#include <utility>

#include <fmt/format.h>

#include "api/expressions/ip_address.h"
#include "http/session.h"

namespace berth::scores {
namespace {

constexpr http::Limits kLimits = {.header_bytes = 64 * 1024};

// "fe80::1%eth0" names an interface besides; such addresses are link-local.
Status check(const env::Address& address, const AddressRules& rules) {
  const auto parsed = api::IpAddress::parse(address.host.substr(0, address.host.find('%')));
  if (parsed) return check_address(*parsed, rules);
  return failure(Code::Forbidden, address.host + " is no address that can be judged");
}

}  // namespace

ProbeRun::ProbeRun(World world, ProbeRequest request, Done done)
    : world_(world),
      request_(std::move(request)),
      done_(std::move(done)),
      deadline_(world.clock.monotonic() + request_.timeout),
      began_(world.clock.monotonic()) {
  timer_ = world_.loop.at(deadline_, scope_.guard([this] { on_timeout(); }));
  world_.network.resolve(
      {.host = request_.location.host, .port = request_.location.port},
      scope_.guard([this](auto addresses) { on_resolved(std::move(addresses)); }));
}

void ProbeRun::on_resolved(Result<std::vector<env::Address>> addresses) {
  if (!addresses.ok()) return finish(failure(std::move(addresses).error()));
  timings_.resolve = since_began();
  if (request_.location.method == Method::Dns) return finish(timings_);
  Status refusal;
  for (env::Address& address : *addresses) {
    const Status status = check(address, request_.rules);
    if (status.ok()) {
      addresses_.push_back(std::move(address));
    } else if (refusal.ok()) {
      refusal = status;
    }
  }
  if (addresses_.empty()) {
    return finish(
        failure(Error(refusal.error()).in_context("the address of " + request_.location.host)));
  }
  connect_to_next();
}

void ProbeRun::connect_to_next() {
  const env::Address address = addresses_.front();
  addresses_.erase(addresses_.begin());
  doing_ = "connecting";
  began_ = world_.clock.monotonic();
  // An address that does not answer leaves the others their share of the time.
  const auto shares = static_cast<std::int64_t>(addresses_.size() + 1);
  world_.network.connect({.address = address, .connect_timeout = time_left() / shares},
                         scope_.guard([this](Opened stream) { on_connected(std::move(stream)); }));
}

void ProbeRun::on_connected(Opened stream) {
  if (!stream.ok()) {
    if (!addresses_.empty()) return connect_to_next();
    return finish(failure(std::move(stream).error()));
  }
  timings_.connect = since_began();
  switch (request_.location.method) {
    case Method::Https:
      return secure(*std::move(stream));
    case Method::Http:
      return speak(*std::move(stream));
    case Method::Tcp:
    case Method::Dns:
      return finish(timings_);
  }
}

void ProbeRun::secure(std::unique_ptr<env::Stream> stream) {
  doing_ = "agreeing on TLS";
  began_ = world_.clock.monotonic();
  world_.network.secure(
      std::move(stream),
      {.tls = {.authorities_pem = request_.authorities_pem,
               .server_name = request_.location.host,
               .protocols = {std::string(http::alpn_name(http::Protocol::Http1))}},
       .handshake_timeout = time_left()},
      scope_.guard([this](Opened secured) { on_secured(std::move(secured)); }));
}

void ProbeRun::on_secured(Opened stream) {
  if (!stream.ok()) return finish(failure(std::move(stream).error()));
  timings_.tls = since_began();
  speak(*std::move(stream));
}

void ProbeRun::speak(std::unique_ptr<env::Stream> stream) {
  doing_ = "waiting for the answer";
  began_ = world_.clock.monotonic();
  stream_ = std::move(stream);
  http::RequestHead head{.target = request_.location.target,
                         .authority = request_.location.authority};
  head.headers.add("user-agent", "berth-agent");
  head.headers.add("accept", "*/*");
  http::OutputBuffer request;
  http::write_http1_request(head, {}, request);
  stream_->start(*this);
  stream_->write(request.view());
}

void ProbeRun::on_received(std::string_view bytes) {
  if (!std::exchange(has_first_byte_, true)) timings_.first_byte = since_began();
  received_ += bytes;
  const auto status = read_status();
  if (!status.ok()) return finish(failure(status.error()));
  if (!*status) return;
  if (**status < 500) return finish(timings_);
  finish(failure(Code::ServiceUnavailable, fmt::format("it answered {}", **status)));
}

// Of the answer; nothing while its head is not complete. Of what comes before the answer only the
// end is looked for.
Result<std::optional<int>> ProbeRun::read_status() {
  for (;;) {
    ASSIGN_OR_RETURN(const auto size, scanner_.scan(received_, kLimits));
    if (!size) return std::nullopt;
    ASSIGN_OR_RETURN(const auto response,
                     http::parse_http1_response(std::string_view(received_).substr(0, *size),
                                                http::Method::Get, kLimits));
    if (!http::is_informational(response.head.status)) return response.head.status;
    received_.erase(0, *size);
    scanner_.reset();
  }
}

void ProbeRun::on_ended() {
  finish(failure(Code::ServiceUnavailable, "it closed the connection instead of an answer"));
}

void ProbeRun::on_closed(const Status& why) {
  if (!why.ok()) return finish(failure(why.error()));
  on_ended();
}

void ProbeRun::on_timeout() {
  finish(
      failure(Code::Timeout, fmt::format("timed out after {} ms while {}",
                                         request_.timeout / std::chrono::milliseconds(1), doing_)));
}

void ProbeRun::finish(Result<Timings> result) {
  timer_.cancel();
  scope_.renew();
  stream_.reset();
  Done done = std::move(done_);  // It may destroy us.
  done(std::move(result));
}

}  // namespace berth::scores
