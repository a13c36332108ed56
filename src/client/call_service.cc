// Tested by api_service_test.cc.

#include "client/call_service.h"

#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "client/errors.h"
#include "client/headers.h"
#include "http/percent.h"

namespace berth::client {
namespace {

constexpr Duration kLongWait = std::chrono::seconds(1);
// Of the answer to a watch that was refused. (Other answers are bounded by the session.)
constexpr std::size_t kRefusalBytesMax = 4 * 1024 * 1024;

Error error_of(const http::StreamFailure& failure) {
  const auto kind =
      failure.processed == http::Processed::No ? NetworkFailure::NotSent : NetworkFailure::Lost;
  return network_error(kind, failure.error.message);
}

}  // namespace

Call::Call(CallContext& context, RestRequest request, const CallOptions& options, WatchTarget watch,
           Finished finished)
    : context_(context),
      request_(std::move(request)),
      options_(options),
      watch_(std::move(watch)),
      finished_(std::move(finished)) {}

Call::~Call() {
  if (transfer_) context_.transport.cancel(*transfer_);
}

void Call::begin() {
  ends_at_ = context_.clock.monotonic() + options_.timeout;
  deadline_ = env::after(context_.loop, context_.clock, options_.timeout, [this] { on_timeout(); });
  const Duration wait = context_.limiter.reserve(context_.clock.monotonic());
  if (wait > kLongWait) {
    context_.log.info("client.throttled", {{"wait", wait}, {"target", request_.target}});
  }
  if (wait == Duration::zero()) return authorize();
  delay_ = env::after(context_.loop, context_.clock, wait, [this] { authorize(); });
}

void Call::authorize() {
  auto ready = scope_.guard([this](Result<std::string> authorization) {
    if (over_) return;
    if (!authorization.ok()) return finish(failure(authorization.error()));
    send(*std::move(authorization));
  });
  const bool refused = answer_.status == 401;  // The attempt before this one.
  if (refused) {
    context_.credentials.refresh(authorization_, std::move(ready));
  } else {
    context_.credentials.authorization(std::move(ready));
  }
}

void Call::send(std::string authorization) {
  ++attempts_.made;
  attempt_started_ = context_.clock.monotonic();
  authorization_ = std::move(authorization);
  answer_ = {};
  gzip_ = std::nullopt;
  transfer_ = context_.transport.send(build(authorization_), *this);
}

// A server need not go on with what nobody waits for any more: `timeout` says how long that is. A
// watch has its own word for it.
std::string Call::target() const {
  std::string target = context_.config.server.target(request_.target);
  if (watch_.listener) return target;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(ends_at_ - attempt_started_);
  const bool whole = left.count() % 1000 == 0;
  target += target.contains('?') ? '&' : '?';
  return target + (whole ? fmt::format("timeout={}s", left.count() / 1000)
                         : fmt::format("timeout={}ms", left.count()));
}

http::Request Call::build(const std::string& authorization) const {
  http::Request request{
      .head = {.method = request_.method,
               .target = target(),
               .authority = context_.config.server.authority()},
      .body = request_.body.empty() ? http::Body() : http::Body(request_.body),
      .kind = watch_.listener ? http::RequestKind::Watch : http::RequestKind::Short};
  http::Headers& headers = request.head.headers;
  headers.add("user-agent", context_.user_agent);
  headers.add("accept", request_.accept);
  const bool compressible = !watch_.listener && !context_.config.disable_compression;
  if (compressible) headers.add("accept-encoding", "gzip");
  if (!request_.content_type.empty()) headers.add("content-type", request_.content_type);
  if (!authorization.empty()) headers.add("authorization", authorization);
  add_impersonation(headers, context_.config.impersonation);
  return request;
}

void Call::on_head(const http::ResponseHead& head) {
  answer_.status = head.status;
  const auto text = [&](std::string_view name) {
    return std::string(head.headers.find(name).value_or(std::string_view()));
  };
  answer_.content_type = text("content-type");
  answer_.retry_after = parse_retry_after(text("retry-after"));
  if (text("content-encoding") == "gzip") gzip_.emplace(http::GunzipLimits{});
  for (const std::string& warning : warnings_in(head.headers)) context_.on_warning(warning);
  if (!is_streaming()) return;
  if (watch_.protobuf && answer_.content_type.starts_with(protobuf::kContentType)) {
    decoder_.emplace<protobuf::WatchStream>(watch_.protobuf);
  }
  deadline_.cancel();  // An open watch lives as long as it likes.
  report_attempt(answer_.status);
  context_.loop.post(scope_.guard([this] { watch_.listener->on_opened(); }));
}

void Call::on_body(std::string_view bytes) {
  if (over_) return;
  std::string decoded;
  if (gzip_) {
    auto text = gzip_->decode(bytes);
    if (!text.ok()) return finish(failure(std::move(text).error()));
    decoded = *std::move(text);
    bytes = decoded;
  }
  if (is_streaming()) {
    stream(bytes);
  } else if (watch_.listener && answer_.body.size() + bytes.size() > kRefusalBytesMax) {
    finish(failure(Code::RequestEntityTooLarge, "the refusal of a watch is too large"));
  } else {
    answer_.body += bytes;
  }
}

void Call::stream(std::string_view bytes) {
  DecodedEvents decoded = std::visit([&](auto& decoder) { return decoder.feed(bytes); }, decoder_);
  if (!decoded.events.empty()) {
    context_.loop.post(scope_.guard([this, events = std::move(decoded.events)]() mutable {
      watch_.listener->on_events(std::move(events));
    }));
  }
  if (decoded.failure) finish(failure(*std::move(decoded.failure)));
}

void Call::on_end() {
  transfer_ = std::nullopt;
  if (over_) return;
  const bool whole =
      std::visit([](const auto& decoder) { return decoder.at_boundary(); }, decoder_);
  const bool cut = is_streaming() && !whole;
  if (cut || (gzip_ && !gzip_->finish().ok())) {
    return on_error(network_error(NetworkFailure::Lost, "the answer was cut off"));
  }
  on_answer();
}

void Call::on_failure(const http::StreamFailure& failure) {
  transfer_ = std::nullopt;
  if (over_) return;
  // What is too large once is too large again.
  if (failure.error.code == Code::RequestEntityTooLarge)
    return finish(berth::failure(failure.error));
  on_error(error_of(failure));
}

void Call::on_answer() {
  if (is_streaming()) return finish(std::move(answer_));
  report_attempt(answer_.status);
  const bool good = answer_.status >= 200 && answer_.status < 300;
  if (good) return finish(std::move(answer_));
  on_error(error_of_answer(answer_, request_.method));
}

void Call::on_error(const Error& error) {
  if (answer_.status == 0) report_attempt(0);
  if (is_streaming()) return finish(failure(error));  // Only its owner knows where to go on.
  const RetryDecision decision =
      decide_retry(error, request_.method, attempts_, options_.retry, context_.random);
  if (std::holds_alternative<GiveUp>(decision)) return finish(failure(error));
  Duration wait{};
  if (const auto* later = std::get_if<RetryAfter>(&decision)) {
    wait = later->delay;
    context_.log.debug("client.retry",
                       {{"target", request_.target}, {"wait", wait}, {"error", error.message}});
  } else {
    attempts_.credentials_refreshed = true;
  }
  delay_ = env::after(context_.loop, context_.clock, wait, [this] { authorize(); });
}

void Call::on_timeout() {
  if (transfer_) context_.transport.give_up(*std::exchange(transfer_, std::nullopt));
  finish(failure(network_error(
      attempts_.made == 0 ? NetworkFailure::NotSent : NetworkFailure::Lost,
      fmt::format(
          "no answer within {} ms",
          std::chrono::duration_cast<std::chrono::milliseconds>(options_.timeout).count()))));
}

void Call::finish(Result<RestAnswer> result) {
  if (over_) return;
  over_ = true;
  deadline_.cancel();
  delay_.cancel();
  if (transfer_) {
    context_.transport.cancel(*transfer_);
    transfer_ = std::nullopt;
  }
  context_.loop.post(
      scope_.guard([this, result = std::move(result)]() mutable { finished_(std::move(result)); }));
}

void Call::report_attempt(int status) {
  context_.report({.method = http::method_name(request_.method),
                   .status = status,
                   .duration = context_.clock.monotonic() - attempt_started_});
}

}  // namespace berth::client
