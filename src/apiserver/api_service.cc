#include "apiserver/api_service.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/auth/audit.h"
#include "apiserver/auth/impersonation.h"
#include "apiserver/auth/snapshot_objects.h"
#include "apiserver/custom/custom_registry.h"
#include "apiserver/verbs/dispatch.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

constexpr int kAttemptsMax = 100;
constexpr std::size_t kCertificatesMax = 20'000;
constexpr std::size_t kTokensMax = 10'000;
constexpr Duration kWriteTimeMax = 34s;  // As in Kubernetes, for all that a request writes.
constexpr Duration kTokenLife = 10s;     // As long as Kubernetes believes one without a new look.

Refusal too_many(std::string_view what) {
  return Error{.code = Code::TooManyRequests,
               .message = fmt::format("too many {} at once, please try again later", what),
               .retry_after = 1s};
}

// The same stream of a watch that did not even begin: the client lists again.
http::Body expired_watch(store::Revision from, store::Revision oldest) {
  const Error error{.code = Code::Expired,
                    .message = fmt::format("too old resource version: {} ({})", from, oldest)};
  std::string text;
  append_event(text, EventType::Error, json::print(failure_status(error)));
  return http::Body(std::move(text));
}

}  // namespace

// One request on its way to its answer.
struct ApiServer::Exchange {
  ApiRequest request;
  http::Answer answer;
  Performed done = nullptr;  // Instead of the answer, for requests from inside.
  AuditFacts audit = {};
  int attempts = 0;

  // Of the writes under way.
  WriteIntent intent = {};
  std::vector<Result<store::Written>> written = {};
  std::size_t waiting = 0;
  std::optional<Patience::iterator> patience = std::nullopt;  // From the first of them on.
  bool given_up = false;  // Answered; what is under way may still be written.

  // The user has one request less under way; nothing when the server is gone before.
  std::function<void()> release = [] {};
  ~Exchange() { release(); }
};

// A watch that ends when its stream does, wherever that happens.
class CountedWatch final : public http::BodySource {
 public:
  CountedWatch(std::unique_ptr<WatchStream> stream, std::function<void()> gone)
      : stream_(std::move(stream)), gone_(std::move(gone)) {}
  ~CountedWatch() override { gone_(); }

  http::Pull pull(std::span<char> room) override { return stream_->pull(room); }

 private:
  std::unique_ptr<WatchStream> stream_;
  std::function<void()> gone_;
};

ApiServer::ApiServer(World world, store::Store& store, std::shared_ptr<const HubFacts> facts,
                     ApiLimits limits, AuditSink audit)
    : world_(world),
      store_(store),
      facts_(std::move(facts)),
      limits_(limits),
      audit_(std::move(audit)),
      random_(env::new_seed(world.entropy)),
      hub_(limits_.history),
      definitions_(*facts_->kinds),
      paths_(facts_->address),
      requests_(world.metrics.counter(
          {.name = "apiserver_request_total", .help = "Requests that were answered."})) {
  store_.follow(world_.loop,
                scope_.guard([this](const store::BatchPtr& batch) { on_batch(batch); }));
  on_tick();
}

ApiServer::~ApiServer() = default;

void ApiServer::on_batch(const store::BatchPtr& batch) {
  hub_.take(batch, world_.clock.monotonic());
  const bool has_definitions = std::ranges::any_of(
      batch->changes,
      [](const store::EntryChange& change) { return change.key.table == kDefinitionTable; });
  if (has_definitions) end_unserved_watches();
}

// A definition went, or serves one version less: there is nothing to come.
void ApiServer::end_unserved_watches() {
  refresh(*store_.snapshot());
  for_each_stream([this](const OpenWatch& watch) {
    const api::Gvr& gvr = watch.gvr;
    if (!registry_->find(gvr.group, gvr.version, gvr.resource)) watch.stream->end();
  });
}

void ApiServer::on_tick() {
  const Instant now = world_.clock.monotonic();
  hub_.seen_objects().forget();
  give_up_late_writes(now);
  for_each_stream([now](const OpenWatch& watch) { watch.stream->on_time(now); });
  tick_ = env::after(world_.loop, world_.clock, 1s, scope_.guard([this] { on_tick(); }));
}

void ApiServer::prepare_to_stop() {
  stopping_ = true;
  for_each_stream([](const OpenWatch& watch) { watch.stream->end(); });
}

// Whatever happens to one stream may end others.
void ApiServer::for_each_stream(const std::function<void(const OpenWatch& watch)>& visit) {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, watch] : streams_) ids.push_back(id);
  for (const std::uint64_t id : ids) {
    const auto at = streams_.find(id);
    if (at != streams_.end()) visit(at->second);
  }
}

void ApiServer::refresh(const store::Snapshot& snapshot) {
  const store::Revision definitions = snapshot.table(kDefinitionTable).revision();
  if (!registry_ || registry_revision_ != definitions) {
    registry_ = definitions_.at(snapshot);
    registry_revision_ = definitions;
  }
  rbac_.follow(snapshot);
}

View ApiServer::view() {
  store::SnapshotPtr snapshot = store_.snapshot();
  refresh(*snapshot);
  return {.snapshot = snapshot,
          .registry = registry_,
          .rbac = rbac_.current(),
          .facts = facts_,
          .now = world_.clock.now(),
          .random = random_,
          .new_uid = [this] { return env::new_uuid(world_.entropy); },
          .snapshot_at =
              [this, snapshot](store::Revision revision) {
                return hub_.snapshot_at(*snapshot, revision);
              }};
}

const Result<CertificateIdentity>* ApiServer::certificate_of(const http::ServerRequest& request) {
  if (!request.peer || request.peer->certificates.empty()) return nullptr;
  const std::string& der = request.peer->certificates.front();
  auto known = certificates_.find(der);
  if (known == certificates_.end()) {
    if (certificates_.size() >= kCertificatesMax) certificates_.clear();
    known = certificates_.emplace(der, read_client_certificate(der)).first;
  }
  return &known->second;
}

Result<User> ApiServer::authenticate(const http::ServerRequest& request) {
  Credentials credentials;
  if (request.peer) credentials.certificate_error = request.peer->certificate_error;
  if (const auto* certificate = certificate_of(request)) {
    if (certificate->ok()) {
      credentials.certificate = &**certificate;
    } else {
      credentials.certificate_error = certificate->error().message;
    }
  }
  credentials.authorization = request.head.headers.find("authorization").value_or("");
  const store::SnapshotPtr snapshot = store_.snapshot();
  const bool is_token = !credentials.certificate && !credentials.authorization.empty();
  if (!is_token) {
    return facts_->authenticator.authenticate(credentials, SnapshotObjects(snapshot),
                                              world_.clock.now());
  }
  return authenticate_token(credentials, snapshot);
}

// Checking a signature costs more than most requests. Who was right a moment ago is right now,
// unless an account has changed.
Result<User> ApiServer::authenticate_token(const Credentials& credentials,
                                           const store::SnapshotPtr& snapshot) {
  const Instant now = world_.clock.monotonic();
  const store::Revision accounts = snapshot->table("serviceaccounts").revision();
  const auto known = tokens_.find(credentials.authorization);
  if (known != tokens_.end() && known->second.until > now && known->second.accounts == accounts) {
    return known->second.user;
  }
  ASSIGN_OR_RETURN(User user, facts_->authenticator.authenticate(
                                  credentials, SnapshotObjects(snapshot), world_.clock.now()));
  if (tokens_.size() >= kTokensMax) tokens_.clear();
  tokens_.insert_or_assign(
      credentials.authorization,
      KnownToken{.user = user, .accounts = accounts, .until = now + kTokenLife});
  return user;
}

Attempt<void> ApiServer::authorize(const User& user, const Attributes& attributes) {
  const Decision decision = rbac_.current()->decide(user, attributes);
  if (decision.allowed) return {};
  return refuse(forbidden(user, attributes, decision.reason));
}

// Who it is, as whom, and whether that one may.
Attempt<void> ApiServer::admit(const http::ServerRequest& request, ApiRequest& parsed,
                               AuditFacts& audit) {
  auto user = authenticate(request);
  if (!user.ok()) {
    // Why is for the log: whoever guesses credentials learns nothing.
    audit.allowed = false;
    audit.decision_reason = user.error().message;
    return refuse(Code::Unauthorized, "Unauthorized");
  }
  parsed.user = *std::move(user);
  audit.user = parsed.user;
  audit.allowed = false;
  refresh(*store_.snapshot());
  ASSIGN_OR_RETURN(auto impersonation, read_impersonation(request.head.headers));
  if (impersonation) {
    for (const Attributes& check : impersonation->checks) {
      RETURN_IF_ERROR(authorize(parsed.user, check));
    }
    parsed.user = std::move(impersonation->user);
    audit.impersonated = parsed.user;
  }
  RETURN_IF_ERROR(authorize(parsed.user, audit.attributes));
  audit.allowed = true;
  const auto waiting = requests_of_.find(parsed.user.name);
  if (waiting != requests_of_.end() && waiting->second >= limits_.requests_per_user &&
      !parsed.user.is_in(kMasters)) {
    return refuse(too_many("requests"));
  }
  return {};
}

std::shared_ptr<ApiServer::Exchange> ApiServer::begin(ApiRequest request) {
  auto exchange = std::make_shared<Exchange>();
  exchange->request = std::move(request);
  const std::string& user = exchange->request.user.name;
  ++requests_of_[user];
  exchange->release = scope_.guard([this, user] {
    const auto count = requests_of_.find(user);
    if (--count->second == 0) requests_of_.erase(count);
  });
  return exchange;
}

void ApiServer::on_request(http::ServerRequest request, http::Answer answer) {
  ApiRequest parsed;
  AuditFacts audit;
  audit.id = env::new_uuid(world_.entropy);
  audit.uri = request.head.target;
  audit.source_address = request.peer ? request.peer->address.host : std::string();
  audit.received = world_.clock.now();
  audit.user_agent = request.head.headers.find("user-agent").value_or("");
  auto info = read_request_info(request.head.method, request.head.target);
  auto query = http::parse_query(http::split_target(request.head.target).query);
  Attempt<void> admitted = {};
  if (info.ok() && query.ok()) {
    parsed.info = *std::move(info);
    parsed.query = *std::move(query);
    audit.attributes = attributes_of(parsed.info);
    admitted = admit(request, parsed, audit);
  } else {
    admitted = refuse(info.ok() ? query.error() : info.error());
  }
  parsed.headers = std::move(request.head.headers);
  parsed.body = std::move(request.body);
  const std::shared_ptr<Exchange> exchange = begin(std::move(parsed));
  exchange->answer = std::move(answer);
  exchange->audit = std::move(audit);
  if (!admitted.has_value()) return send(*exchange, refusal_response(admitted.error()));
  run(exchange);
}

void ApiServer::perform(ApiRequest request, Performed done) {
  const std::shared_ptr<Exchange> exchange = begin(std::move(request));
  exchange->done = std::move(done);
  run(exchange);
}

void ApiServer::on_refused(const http::ServerRequest& /*request*/, const Error& error,
                           http::Answer answer) {
  Response response = refusal_response(error);
  answer.send({.status = response.status, .headers = std::move(response.headers)},
              std::move(response.body));
}

void ApiServer::run(const std::shared_ptr<Exchange>& exchange) {
  const View now = view();
  if (exchange->request.info.is_resource) {
    return carry_out(exchange, handle(exchange->request, now));
  }
  const auto route = routes_.find(exchange->request.info.path);
  if (route != routes_.end() && exchange->request.info.verb == "post") {
    return route->second(exchange->request, scope_.guard([this, exchange](Response response) {
      send(*exchange, std::move(response));
    }));
  }
  std::optional<json::Value> schema;  // The last one that was asked for.
  const SchemaOf schema_of = [&now, &schema](const Resource& resource) {
    schema = raw_schema(resource, *now.snapshot);
    return schema ? &*schema : nullptr;
  };
  carry_out(exchange, paths_.answer(exchange->request,
                                    {.registry = registry_,
                                     .ready = {{"shutdown", [this] { return shutdown_check(); }},
                                               {"watch-hub", [this] { return hub_check(); }}},
                                     .metrics = [this] { return world_.metrics.exposition(); },
                                     .schema_of = schema_of,
                                     .definitions = registry_revision_,
                                     .now = now.now}));
}

Status ApiServer::shutdown_check() const {
  if (!stopping_) return {};
  return failure(Code::ServiceUnavailable, "process is shutting down");
}

Status ApiServer::hub_check() const {
  if (hub_.has_begun()) return {};
  return failure(Code::ServiceUnavailable, "nothing was heard from the store yet");
}

void ApiServer::carry_out(const std::shared_ptr<Exchange>& exchange, Outcome outcome) {
  if (auto* response = std::get_if<Response>(&outcome.what)) {
    send(*exchange, std::move(*response));
  } else if (auto* plan = std::get_if<WatchPlan>(&outcome.what)) {
    start_watch(exchange, std::move(*plan));
  } else {
    write(exchange, std::move(std::get<WriteIntent>(outcome.what)));
  }
}

void ApiServer::write(const std::shared_ptr<Exchange>& exchange, WriteIntent intent) {
  std::vector<store::EntryWrite> writes = std::move(intent.writes);
  exchange->intent = std::move(intent);
  exchange->written.assign(writes.size(), store::Written{});
  exchange->waiting = writes.size();
  if (!exchange->patience) {
    const Duration length =
        read_timeout(exchange->request.query, kWriteTimeMax).value_or(kWriteTimeMax);
    exchange->patience = patience_.emplace(world_.clock.monotonic() + length, exchange);
  }
  for (std::size_t i = 0; i < writes.size(); ++i) {
    store_.write(std::move(writes[i]), world_.loop,
                 scope_.guard([this, exchange, i](Result<store::Written> result) {
                   exchange->written[i] = std::move(result);
                   if (--exchange->waiting == 0) on_written(exchange);
                 }));
  }
}

// A disk that hangs must not make its clients hang.
void ApiServer::give_up_late_writes(Instant now) {
  while (!patience_.empty() && patience_.begin()->first <= now) {
    const auto late = patience_.begin()->second.lock();
    patience_.erase(patience_.begin());
    if (!late) continue;
    late->patience.reset();
    late->given_up = true;
    send(*late, refusal_response(
                    Error{.code = Code::Timeout,
                          .message = "Timeout: request did not complete within requested timeout - "
                                     "context deadline exceeded"}));
  }
}

void ApiServer::on_written(const std::shared_ptr<Exchange>& exchange) {
  if (exchange->given_up) return;
  std::vector<store::Written> written;
  bool is_stale = false;
  for (const Result<store::Written>& result : exchange->written) {
    if (result.ok()) {
      written.push_back(*result);
    } else if (result.error().code == Code::Conflict || result.error().code == Code::NotFound) {
      is_stale = true;
    } else {
      return send(*exchange, refusal_response(result.error()));
    }
  }
  if (!is_stale) {
    const View now = view();
    return carry_out(exchange, exchange->intent.then(now, written));
  }
  // Somebody was faster: what the request means now may be something else.
  if (++exchange->attempts < kAttemptsMax) return run(exchange);
  send(*exchange, refusal_response(Error{.code = Code::Conflict,
                                         .message = "the object changes too often to be changed",
                                         .retry_after = 1s}));
}

void ApiServer::start_watch(const std::shared_ptr<Exchange>& exchange, WatchPlan plan) {
  const std::string& user = exchange->request.user.name;
  if (watches_of_[user] >= limits_.watches_per_user) {
    return send(*exchange, refusal_response(too_many("watches")));
  }
  Response response = json_response(200, std::string());
  for (const std::string& warning : plan.warnings) add_warning(response, warning);
  if (!plan.initial && plan.from < hub_.oldest()) {
    response.body = expired_watch(plan.from, hub_.oldest());
    return send(*exchange, std::move(response));
  }
  auto stream = std::make_unique<WatchStream>(hub_, std::move(plan), exchange->answer.waker(),
                                              world_.clock.monotonic());
  const std::uint64_t id = next_stream_++;
  const RequestInfo& info = exchange->request.info;
  streams_.emplace(
      id,
      OpenWatch{.stream = stream.get(),
                .gvr = {.group = info.group, .version = info.version, .resource = info.resource}});
  ++watches_of_[user];
  std::unique_ptr<http::BodySource> body =
      std::make_unique<CountedWatch>(std::move(stream), scope_.guard([this, id, user] {
        streams_.erase(id);
        if (--watches_of_[user] == 0) watches_of_.erase(user);
      }));
  response.body = http::Body(std::move(body));
  send(*exchange, std::move(response));
  const auto started = streams_.find(id);
  if (stopping_ && started != streams_.end()) started->second.stream->end();
}

void ApiServer::send(Exchange& exchange, Response response) {
  if (exchange.patience) patience_.erase(*std::exchange(exchange.patience, std::nullopt));
  if (exchange.done) return exchange.done(std::move(response));
  requests_.increment();
  response.headers.add("audit-id", exchange.audit.id);
  if (audit_) {
    exchange.audit.status = response.status;
    exchange.audit.finished = world_.clock.now();
    audit_(audit_line(exchange.audit));
  }
  exchange.answer.send({.status = response.status, .headers = std::move(response.headers)},
                       std::move(response.body));
}

}  // namespace berth::apiserver
