#include "scores/sources/prometheus_service.h"

#include <utility>

#include <fmt/format.h>

#include "client/errors.h"
#include "http/gzip.h"

namespace berth::scores {
namespace {

// Of the longest vector that is taken, with labels to spare.
constexpr std::uint64_t kAnswerBytesMax = 32 * 1024 * 1024;

client::TransportOptions transport_options(const Endpoint& endpoint, const EndpointAccess& access,
                                           const http::Url& url) {
  client::TransportOptions options{
      .route = {.server = {.host = url.host, .port = url.port_or_default()},
                .connect_timeout = endpoint.timeout,
                .handshake_timeout = endpoint.timeout}};
  options.http.limits.body_bytes = kAnswerBytesMax;
  if (url.scheme == http::Scheme::Https) {
    options.route.tls = env::TlsClient{
        .authorities_pem = access.authorities_pem,
        .server_name = endpoint.server_name,
        .identity = {.certificates_pem = access.certificates_pem, .key_pem = access.key_pem},
        .protocols = {std::string(http::alpn_name(http::Protocol::Http2)),
                      std::string(http::alpn_name(http::Protocol::Http1))}};
  }
  return options;
}

}  // namespace

// One query on its way.
class PrometheusClient::Exchange final : public client::ResponseSink {
 public:
  Exchange(PrometheusClient& client, std::uint64_t id, Answered answered)
      : answered(std::move(answered)), client_(client), id_(id) {}

  ~Exchange() override {
    if (transfer_) client_.transport_.cancel(*transfer_);
  }

  void begin(http::Request request) {
    deadline_ = env::after(client_.env_.loop, client_.env_.clock, client_.timeout_, [this] {
      const auto seconds = std::chrono::duration<double>(client_.timeout_).count();
      end(failure(Code::Timeout, fmt::format("no answer within {} s", seconds)));
    });
    transfer_ = client_.transport_.send(std::move(request), *this);
  }

  void on_head(const http::ResponseHead& head) override {
    answer_.status = head.status;
    answer_.retry_after = client::parse_retry_after(head.headers.find("retry-after").value_or(""));
    if (head.headers.find("content-encoding") == "gzip") {
      gzip_.emplace(http::GunzipLimits{.bytes = kAnswerBytesMax});
    }
  }

  void on_body(std::string_view bytes) override {
    if (over_) return;
    if (!gzip_) {
      answer_.body += bytes;
      return;
    }
    auto text = gzip_->decode(bytes);
    if (!text.ok()) return end(failure(std::move(text).error()));
    answer_.body += *text;
  }

  void on_end() override {
    transfer_ = std::nullopt;
    if (gzip_ && !gzip_->finish().ok()) {
      return end(failure(Code::ServiceUnavailable, "the answer was cut off"));
    }
    end(std::move(answer_));
  }

  void on_failure(const http::StreamFailure& failed) override {
    transfer_ = std::nullopt;
    end(failure(failed.error));
  }

  Answered answered;

 private:
  // The transport may be in the middle of a call to this: the end comes from outside of it.
  void end(Result<HttpAnswer> result) {
    if (std::exchange(over_, true)) return;
    deadline_.cancel();
    client_.env_.loop.post(
        client_.scope_.guard([&client = client_, id = id_, result = std::move(result)]() mutable {
          client.finish(id, std::move(result));
        }));
  }

  PrometheusClient& client_;
  std::uint64_t id_;
  HttpAnswer answer_ = {};
  std::optional<http::GzipDecoder> gzip_ = std::nullopt;
  std::optional<client::TransferId> transfer_ = std::nullopt;
  bool over_ = false;
  env::Timer deadline_ = {};
};

Result<std::unique_ptr<PrometheusClient>> PrometheusClient::make(const env::Env& env,
                                                                 const Endpoint& endpoint,
                                                                 EndpointAccess access) {
  ASSIGN_OR_RETURN(http::Url url, http::parse_url(endpoint.url));
  return std::unique_ptr<PrometheusClient>(
      new PrometheusClient(env, endpoint, std::move(access), std::move(url)));
}

PrometheusClient::PrometheusClient(const env::Env& env, const Endpoint& endpoint,
                                   EndpointAccess access, http::Url url)
    : env_(env),
      url_(std::move(url)),
      token_(std::move(access.token)),
      timeout_(endpoint.timeout),
      transport_({env.clock, env.loop, env.network, env.log},
                 transport_options(endpoint, access, url_)) {}

PrometheusClient::~PrometheusClient() { exchanges_.clear(); }

http::Request PrometheusClient::build(const FormFields& form) const {
  http::Request request{.head = {.method = http::Method::Post,
                                 .target = url_.target("/api/v1/query"),
                                 .authority = url_.authority()},
                        .body = http::Body(http::build_query(form))};
  http::Headers& headers = request.head.headers;
  headers.add("user-agent", "berth-scores");
  headers.add("accept", "application/json");
  headers.add("accept-encoding", "gzip");
  headers.add("content-type", "application/x-www-form-urlencoded");
  if (!token_.empty()) headers.add("authorization", "Bearer " + token_);
  return request;
}

void PrometheusClient::query(const FormFields& form, Answered answered) {
  const std::uint64_t id = ++ids_;
  auto& exchange = exchanges_[id];
  exchange = std::make_unique<Exchange>(*this, id, std::move(answered));
  exchange->begin(build(form));
}

void PrometheusClient::finish(std::uint64_t id, Result<HttpAnswer> answer) {
  Answered answered = std::move(exchanges_.at(id)->answered);
  exchanges_.erase(id);
  answered(std::move(answer));
}

}  // namespace berth::scores
