#include "client/api_service.h"

#include <utility>

#include "client/errors.h"
#include "json/text_of.h"

namespace berth::client {
namespace {

constexpr std::size_t kWarningsMax = 1000;
constexpr std::int64_t kPageSize = 500;

TransportOptions transport_options(const ClientConfig& config, const ApiOptions& options,
                                   CredentialSource& credentials) {
  auto tls = credentials.tls();
  TransportOptions result{
      .route = {.server = {.host = config.server.host, .port = config.server.port_or_default()},
                .proxy = config.proxy},
      .http = options.http,
      .pool = options.pool};
  if (tls.ok()) {
    result.route.tls = *std::move(tls);
  } else if (config.server.scheme == http::Scheme::Https) {
    result.route.tls = env::TlsClient{};  // Replaced before the first request can be sent.
  }
  return result;
}

ApiOptions with_config(ApiOptions options, const ClientConfig& config) {
  const bool chosen = config.request_timeout > Duration::zero();
  if (chosen) options.call.timeout = config.request_timeout;
  return options;
}

std::vector<double> duration_buckets() {
  return {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
}

}  // namespace

Api::Api(const env::Env& env, ClientConfig config, ApiOptions options)
    : env_(env),
      config_(std::move(config)),
      options_(with_config(std::move(options), config_)),
      random_(env::new_seed(env_.entropy)),
      limiter_(options_.rate),
      credentials_({env_.clock, env_.loop, env_.disk, env_.network, env_.processes, env_.log},
                   config_, options_.credentials,
                   [this, is_carried = options_.carrier != nullptr](const env::TlsClient& tls) {
                     if (!is_carried) transport_->set_tls(tls);
                   }),
      transport_(options_.carrier
                     ? options_.carrier->transport_
                     : std::make_shared<Transport>(
                           Transport::World{env_.clock, env_.loop, env_.network, env_.log},
                           transport_options(config_, options_, credentials_))),
      context_{.clock = env_.clock,
               .loop = env_.loop,
               .log = env_.log,
               .config = config_,
               .transport = *transport_,
               .credentials = credentials_,
               .limiter = limiter_,
               .random = random_,
               .user_agent = options_.user_agent,
               .report = [this](const AttemptReport& attempt) { report(attempt); },
               .on_warning = [this](std::string_view text) { warn(text); }} {}

Api::~Api() { calls_.clear(); }

CallId Api::begin(Result<RestRequest> request, const CallOptions& options, WatchTarget watch,
                  Answered answered) {
  const CallId id = ++ids_;
  if (!request.ok()) {
    calls_[id] = nullptr;  // Nothing to send, but it can be cancelled like all others.
    env_.loop.post(
        scope_.guard([this, id, error = request.error(), answered = std::move(answered)]() mutable {
          if (calls_.contains(id)) finish(id, std::move(answered), failure(std::move(error)));
        }));
    return id;
  }
  auto finished = [this, id, answered = std::move(answered)](Result<RestAnswer> result) mutable {
    finish(id, std::move(answered), std::move(result));
  };
  auto call = std::make_unique<Call>(context_, *std::move(request), options, std::move(watch),
                                     std::move(finished));
  Call& started = *call;
  calls_[id] = std::move(call);
  started.begin();
  return id;
}

// The call dies before its callback runs, so that the callback finds the Api at rest.
void Api::finish(CallId id, Answered answered, Result<RestAnswer> result) {
  calls_.erase(id);
  answered(std::move(result));
}

void Api::cancel(CallId id) {
  if (const auto page = pages_.find(id); page != pages_.end()) {
    calls_.erase(page->second);
    pages_.erase(page);
  }
  calls_.erase(id);
}

CallId Api::fetch(RestRequest request, const CallOptions& options, Answered answered) {
  return begin(std::move(request), options, {}, std::move(answered));
}

CallId Api::call(Result<RestRequest> request, const CallOptions& options, Done done) {
  const http::Method method = request.ok() ? request->method : http::Method::Get;
  return begin(std::move(request), options, {},
               [method, done = std::move(done)](Result<RestAnswer> answer) mutable {
                 if (!answer.ok()) return done(failure(std::move(answer).error()));
                 done(read_answer(*answer, method));
               });
}

CallId Api::get(const ResourcePath& path, Done done) {
  return call(get_request(path), options_.call, std::move(done));
}

CallId Api::list(const ResourcePath& collection, const ListOptions& options, Done done) {
  return call(list_request(collection, options), options_.call, std::move(done));
}

CallId Api::create(const ResourcePath& path, const json::Value& object, const WriteOptions& options,
                   Done done) {
  return call(create_request(path, object, options), options_.call, std::move(done));
}

CallId Api::update(const ResourcePath& path, const json::Value& object, const WriteOptions& options,
                   Done done) {
  return call(update_request(path, object, options), options_.call, std::move(done));
}

CallId Api::patch(const ResourcePath& path, const json::Value& patch, const PatchOptions& options,
                  Done done) {
  return call(patch_request(path, patch, options), options_.call, std::move(done));
}

CallId Api::remove(const ResourcePath& path, const DeleteOptions& options, Done done) {
  return call(delete_request(path, options), options_.call, std::move(done));
}

CallId Api::remove_collection(const ResourcePath& collection, const Selection& selection,
                              const DeleteOptions& options, Done done) {
  return call(delete_collection_request(collection, selection, options), options_.call,
              std::move(done));
}

CallId Api::watch(const ResourcePath& collection, const WatchOptions& options, WatchTarget target) {
  CallOptions call = options_.call;
  call.retry = {.attempts_max = 1};
  Result<RestRequest> request = watch_request(collection, options);
  if (request.ok() && target.protobuf) request->accept = kProtobufOrJsonStream;
  WatchListener& listener = *target.listener;
  return begin(std::move(request), call, std::move(target), [&listener](Result<RestAnswer> answer) {
    listener.on_closed(answer.ok() ? Status() : failure(answer.error()));
  });
}

CallId Api::list_all(const ResourcePath& collection, ListOptions options, Listed listed) {
  const CallId id = ++ids_;
  if (options.limit <= 0) options.limit = kPageSize;
  pages_[id] = id;
  continue_list(id, collection, std::move(options), {}, std::move(listed));
  return id;
}

void Api::continue_list(CallId id, const ResourcePath& collection, ListOptions options,
                        WholeList so_far, Listed listed) {
  Result<RestRequest> request = list_request(collection, options);
  auto on_page = [this, id, collection, options = std::move(options), so_far = std::move(so_far),
                  listed = std::move(listed)](Result<json::Value> page) mutable {
    if (pages_.erase(id) == 0) return;
    const bool forgotten =
        !page.ok() && is_expired(page.error()) && !options.continue_token.empty();
    if (!page.ok() && !forgotten) return listed(failure(std::move(page).error()));
    if (forgotten) {
      options.continue_token.clear();
      options.limit = 0;
      so_far = {};
    } else {
      if (json::Value* items = page->find("items")) {
        for (json::Value& item : items->elements()) so_far.items.push_back(std::move(item));
      }
      so_far.resource_version = text_at(*page, {"metadata", "resourceVersion"});
      options.continue_token = text_at(*page, {"metadata", "continue"});
      if (options.continue_token.empty()) return listed(std::move(so_far));
    }
    pages_[id] = id;
    continue_list(id, collection, std::move(options), std::move(so_far), std::move(listed));
  };
  pages_[id] = call(std::move(request), options_.call, std::move(on_page));
}

void Api::report(const AttemptReport& attempt) {
  answers(attempt.status, attempt.method).increment();
  durations(attempt.method).observe(std::chrono::duration<double>(attempt.duration).count());
}

env::Counter& Api::answers(int status, std::string_view method) {
  env::Counter*& kept = answers_[{status, method}];
  if (!kept) {
    const std::string code = status == 0 ? "<error>" : std::to_string(status);
    kept = &env_.metrics.counter({.name = "rest_client_requests_total",
                                  .help = "Requests to API servers by code, method and host.",
                                  .labels = {{"code", code},
                                             {"method", std::string(method)},
                                             {"host", config_.server.authority()}}});
  }
  return *kept;
}

env::Histogram& Api::durations(std::string_view method) {
  env::Histogram*& kept = durations_[method];
  if (!kept) {
    kept = &env_.metrics.histogram(
        {.name = "rest_client_request_duration_seconds",
         .help = "Time from sending a request to its answer, by method and host.",
         .labels = {{"verb", std::string(method)}, {"host", config_.server.authority()}}},
        duration_buckets());
  }
  return *kept;
}

void Api::warn(std::string_view text) {
  if (warnings_.contains(text) || warnings_.size() >= kWarningsMax) return;
  warnings_.emplace(text);
  env_.log.warn("client.server_warning", {{"text", text}});
}

}  // namespace berth::client
