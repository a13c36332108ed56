#include "client/testing/model_server_service.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "http/url.h"
#include "json/print.h"

namespace berth::client::testing {
namespace {

constexpr Duration kTick = std::chrono::milliseconds(20);

std::string value_in(const std::vector<http::QueryItem>& query, std::string_view name) {
  const auto found = std::ranges::find(query, name, &http::QueryItem::first);
  return found == query.end() ? std::string() : found->second;
}

std::int64_t number(std::string_view text) { return parse_int64(text).value_or(0); }

std::string_view name_of(WatchEvent::Type type) {
  switch (type) {
    case WatchEvent::Type::Added:
      return "ADDED";
    case WatchEvent::Type::Modified:
      return "MODIFIED";
    case WatchEvent::Type::Deleted:
      return "DELETED";
    case WatchEvent::Type::Bookmark:
      return "BOOKMARK";
    case WatchEvent::Type::Error:
      return "ERROR";
  }
  return "";
}

// The simulator only looks whether both sides know the same text.
const std::string kPem = "-----BEGIN CERTIFICATE-----\nc2VydmVy\n-----END CERTIFICATE-----\n";

http::ResponseHead json_head(int status) {
  http::ResponseHead head{.status = status};
  head.headers.add("content-type", "application/json");
  if (status == 429) head.headers.add("retry-after", "1");
  return head;
}

}  // namespace

ClientConfig model_config(std::string_view scheme) {
  return {.server = http::parse_url(std::string(scheme) + "://server:6443").value(),
          .tls = {.certificate_authority = {.data = kPem}}};
}

std::optional<env::TlsServer> model_tls(std::string_view scheme) {
  if (scheme == "http") return std::nullopt;
  return env::TlsServer{.identity = {.certificates_pem = kPem, .key_pem = kPem},
                        .protocols = {"h2", "http/1.1"}};
}

// The events of one watch, made when the peer has room for them.
class ModelServer::WatchSource final : public http::BodySource {
 public:
  WatchSource(ModelServer& server, const ModelStore& store, std::int64_t from, Instant ends)
      : server_(server), store_(store), at_(from), ends_(ends), bookmark_due_(next_bookmark()) {}

  void send_state() {
    for (const auto& [name, body] : store_.state()) append({WatchEvent::Type::Added, body});
    at_ = store_.revision();
    append({WatchEvent::Type::Bookmark, initial_events_end_at(at_)});
  }

  http::Pull pull(std::span<char> room) override {
    while (text_.size() < room.size() && produce()) {
    }
    const std::size_t bytes = std::min(room.size(), text_.size());
    std::copy_n(text_.begin(), bytes, room.begin());
    text_.erase(0, bytes);
    if (!text_.empty()) return {.bytes = bytes, .state = http::Pull::State::More};
    return {.bytes = bytes, .state = over_ ? http::Pull::State::End : http::Pull::State::Waiting};
  }

 private:
  bool produce() {
    if (over_) return false;
    const Instant now = server_.env_.clock.monotonic();
    if (at_ < store_.compacted()) {
      append({WatchEvent::Type::Error, expired_status()});
      over_ = true;
    } else if (const ModelStore::LoggedChange* change = store_.after(at_)) {
      at_ = change->revision;
      const bool skip = server_.options_.bug == ServerBug::SkippedEvent && at_ % 17 == 0;
      if (!skip) append(change->event);
    } else if (now >= ends_) {
      over_ = true;
    } else if (now >= bookmark_due_) {
      const bool early = server_.options_.bug == ServerBug::EarlyBookmark;
      append({WatchEvent::Type::Bookmark, bookmark_at(early ? at_ + 5 : at_)});
      bookmark_due_ = next_bookmark();
    } else {
      return false;
    }
    return true;
  }

  void append(const WatchEvent& event) {
    text_ += R"({"type":")";
    text_ += name_of(event.type);
    text_ += R"(","object":)";
    json::append(text_, event.object);
    text_ += "}\n";
  }

  Instant next_bookmark() const {
    return server_.env_.clock.monotonic() + server_.options_.bookmark_interval;
  }

  ModelServer& server_;
  const ModelStore& store_;
  std::int64_t at_;
  Instant ends_;
  Instant bookmark_due_;
  std::string text_;
  bool over_ = false;
};

// One connection.
class ModelServer::Peer final : public env::StreamHandler, public http::RequestHandler {
 public:
  Peer(ModelServer& server, std::unique_ptr<env::Stream> stream)
      : server_(server), stream_(std::move(stream)) {
    const bool h2 = stream_->peer().protocol == http::alpn_name(http::Protocol::Http2);
    session_ = http::make_server_session(h2 ? http::Protocol::Http2 : http::Protocol::Http1,
                                         server_.options_.http, *this, now());
    stream_->start(*this);
  }

  bool is_dead() const { return stream_ == nullptr; }

  void on_received(std::string_view bytes) override {
    session_->receive(bytes, now());
    flush();
  }
  void on_drained() override {
    full_ = false;
    flush();
  }
  void on_ended() override {
    session_->receive_end(now());
    flush();
  }
  void on_closed(const Status&) override {
    stream_ = nullptr;
    session_->fail({.code = Code::ServiceUnavailable, .message = "gone"}, now());
  }

  void on_request(http::StreamId id, http::RequestHead head) override {
    heads_[id] = std::move(head);
  }
  void on_body(http::StreamId id, std::string_view bytes) override {
    bodies_[id] += bytes;
    session_->release(id, bytes.size());
  }
  void on_end(http::StreamId id) override { answer(id, heads_[id]); }
  void on_bad_body(http::StreamId id, const Error&) override { refuse(id, 400); }
  void on_closed(http::StreamId id, http::StreamEnd) override {
    heads_.erase(id);
    bodies_.erase(id);
    std::erase(watches_, id);
  }

  void tick() {
    if (!stream_) return;
    for (const http::StreamId id : watches_) session_->resume(id);
    const auto deadline = session_->next_deadline();
    if (deadline && *deadline <= now()) session_->on_time(now());
    flush();
  }

 private:
  Instant now() const { return server_.env_.clock.monotonic(); }

  void flush() {
    while (stream_ && !full_) {
      const std::string_view bytes = session_->output(now());
      if (bytes.empty()) break;
      full_ = stream_->write(bytes) > 64 * 1024;
      session_->written(bytes.size());
    }
    if (stream_ && session_->finished()) stream_ = nullptr;
  }

  void respond(http::StreamId id, int status, const json::Value& document) {
    session_->respond(id, json_head(status), http::Body(json::print(document)));
  }

  void refuse(http::StreamId id, int status) {
    respond(id, status,
            json::Value::object({{"kind", "Status"},
                                 {"apiVersion", "v1"},
                                 {"status", "Failure"},
                                 {"message", "no"},
                                 {"code", status}}));
  }

  void answer(http::StreamId id, const http::RequestHead& head) {
    ++server_.requests_;
    const std::string& token = server_.options_.token;
    const bool welcome =
        token.empty() || head.headers.find("authorization") == std::string_view("Bearer " + token);
    if (!welcome) return refuse(id, 401);
    if (const int trouble = server_.options_.trouble()) return refuse(id, trouble);
    const http::Target target = http::split_target(head.target);
    if (server_.options_.answer) {
      const auto made = server_.options_.answer({.method = head.method,
                                                 .path = std::string(target.path),
                                                 .query = std::string(target.query),
                                                 .body = bodies_[id]});
      if (made) return respond(id, made->status, made->document);
    }
    const auto query = http::parse_query(target.query);
    if (!query.ok()) return refuse(id, 400);
    const ModelStore* store = server_.options_.collection(std::string(target.path));
    if (target.path == "/api/v1/namespaces/default/configmaps") store = &server_.store_;
    if (!store) return show(id, std::string(target.path));
    value_in(*query, "watch") == "true" ? watch(id, *store, *query) : list(id, *store, *query);
  }

  void show(http::StreamId id, const std::string& path) {
    const auto page = server_.options_.page ? server_.options_.page(path) : std::nullopt;
    if (!page) return refuse(id, 404);
    http::ResponseHead head;
    head.headers.add("content-type", page->content_type);
    session_->respond(id, std::move(head), http::Body(page->body));
  }

  void list(http::StreamId id, const ModelStore& store, const std::vector<http::QueryItem>& query) {
    if (number(value_in(query, "resourceVersion")) > store.revision()) {
      return respond(id, 504, too_large_status());
    }
    // Pages are of the newest state, with names as tokens; a token of a compacted state is refused.
    const std::string token = value_in(query, "continue");
    const std::size_t colon = token.find(':');
    const std::int64_t revision = token.empty() ? store.revision() : number(token.substr(0, colon));
    if (revision != store.revision()) return respond(id, 410, expired_status());
    const std::size_t limit = static_cast<std::size_t>(number(value_in(query, "limit")));
    json::Value document = json::Value::object({{"kind", "ConfigMapList"}, {"apiVersion", "v1"}});
    const bool ahead = server_.options_.bug == ServerBug::ListFromFuture;
    document["metadata"]["resourceVersion"] = std::to_string(revision + (ahead ? 3 : 0));
    document["items"] = json::Value::array();
    auto item = store.state().upper_bound(token.empty() ? "" : token.substr(colon + 1));
    std::string last;
    for (; item != store.state().end(); ++item) {
      if (limit > 0 && document["items"].size() == std::min<std::size_t>(limit, 4)) {
        document["metadata"]["continue"] = std::to_string(revision) + ":" + last;
        break;
      }
      document["items"].push_back(item->second);
      last = item->first;
    }
    respond(id, 200, document);
  }

  void watch(http::StreamId id, const ModelStore& store,
             const std::vector<http::QueryItem>& query) {
    const bool initial = value_in(query, "sendInitialEvents") == "true";
    if (initial && !server_.options_.initial_events) return refuse(id, 422);
    const std::int64_t from = number(value_in(query, "resourceVersion"));
    if (initial && from > store.revision()) return respond(id, 504, too_large_status());
    const Duration length = std::chrono::seconds(number(value_in(query, "timeoutSeconds")));
    auto source = std::make_unique<WatchSource>(server_, store, from, now() + length);
    if (initial) source->send_state();
    watches_.push_back(id);
    session_->respond(id, json_head(200), http::Body(std::move(source)));
  }

  ModelServer& server_;
  std::unique_ptr<env::Stream> stream_;
  std::unique_ptr<http::ServerSession> session_;
  std::map<http::StreamId, http::RequestHead> heads_;
  std::map<http::StreamId, std::string> bodies_;
  std::vector<http::StreamId> watches_;
  bool full_ = false;
};

ModelServer::ModelServer(const env::Env& env, ModelStore& store, ModelServerOptions options)
    : env_(env), store_(store), options_(std::move(options)) {
  std::vector<env::Seat> seats;
  seats.push_back({&env_.network, scope_.guard([this](std::unique_ptr<env::Stream> stream) {
                     peers_[++ids_] = std::make_unique<Peer>(*this, std::move(stream));
                   })});
  auto listener = env_.network.listen(
      {.address = {.host = "", .port = options_.port}, .tls = options_.tls}, std::move(seats));
  CHECK(listener.ok());
  listener_ = *std::move(listener);
  tick();
}

ModelServer::~ModelServer() = default;

void ModelServer::replace_tls(env::TlsServer tls) {
  CHECK(listener_->replace_tls(std::move(tls)).ok());
}

void ModelServer::tick() {
  std::erase_if(peers_, [](const auto& entry) { return entry.second->is_dead(); });
  for (auto& [id, peer] : peers_) peer->tick();
  timer_ = env::after(env_.loop, env_.clock, kTick, [this] { tick(); });
}

}  // namespace berth::client::testing
