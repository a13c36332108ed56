// The verbs of the Kubernetes API on one server, with callbacks. Retries, credentials, rate and
// deadlines are taken care of; what to do about an error is the caller's.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/rate_limiter.h"
#include "base/result.h"
#include "client/call_service.h"
#include "client/client_config.h"
#include "client/options.h"
#include "client/resource.h"
#include "client/rest.h"
#include "env/env.h"
#include "env/metrics.h"
#include "env/scope.h"
#include "json/value.h"

namespace berth::client {

class Api;

struct ApiOptions {
  std::string user_agent = "berth";
  RateLimit rate = {};
  CallOptions call = {};  // Of calls that say nothing else. A request_timeout of the config wins.
  CredentialOptions credentials = {};
  http::ClientOptions http = {};
  http::PoolLimits pool = {};

  // Another one to the same server by the same identity, whose connections this one uses, too:
  // parts of one program need not have a connection each. It keeps the identity fresh, may die
  // first, and its options `http` and `pool` hold. Rates and deadlines are each one's own.
  const Api* carrier = nullptr;
};

using CallId = std::uint64_t;
using Done = std::move_only_function<void(Result<json::Value>)>;

// All items of a list, read page by page.
struct WholeList {
  std::vector<json::Value> items = {};
  std::string resource_version = {};
};
using Listed = std::move_only_function<void(Result<WholeList>)>;

// Lives on one loop. A callback runs once, later, on the loop, from outside of everything: it may
// even destroy the Api. When the Api dies, or a call is cancelled, its callback is dropped.
class Api {
 public:
  Api(const env::Env& env, ClientConfig config, ApiOptions options);
  ~Api();

  CallId get(const ResourcePath& path, Done done);
  CallId list(const ResourcePath& collection, const ListOptions& options, Done done);
  CallId create(const ResourcePath& path, const json::Value& object, const WriteOptions& options,
                Done done);
  CallId update(const ResourcePath& path, const json::Value& object, const WriteOptions& options,
                Done done);
  CallId patch(const ResourcePath& path, const json::Value& patch, const PatchOptions& options,
               Done done);
  CallId remove(const ResourcePath& path, const DeleteOptions& options, Done done);
  CallId remove_collection(const ResourcePath& collection, const Selection& selection,
                           const DeleteOptions& options, Done done);

  // In pages of `options.limit` (500 when it says nothing). When the server forgets the state that
  // the pages are of, everything is read again in one piece.
  CallId list_all(const ResourcePath& collection, ListOptions options, Listed listed);

  // The listener lives until on_closed or the cancellation. Watches are not retried here.
  CallId watch(const ResourcePath& collection, const WatchOptions& options, WatchTarget target);

  // Any request; the answer is one of 2xx. For discovery and the like.
  CallId fetch(RestRequest request, const CallOptions& options, Answered answered);
  CallId call(Result<RestRequest> request, const CallOptions& options, Done done);

  void cancel(CallId id);

  const ClientConfig& config() const { return config_; }
  const CallOptions& call_options() const { return options_.call; }
  std::size_t calls() const { return calls_.size(); }
  std::size_t connections() const { return transport_->connections(); }

 private:
  CallId begin(Result<RestRequest> request, const CallOptions& options, WatchTarget watch,
               Answered answered);
  void finish(CallId id, Answered answered, Result<RestAnswer> result);
  void continue_list(CallId id, const ResourcePath& collection, ListOptions options,
                     WholeList so_far, Listed listed);
  void report(const AttemptReport& report);
  env::Counter& answers(int status, std::string_view method);
  env::Histogram& durations(std::string_view method);
  void warn(std::string_view text);

  env::Env env_;
  ClientConfig config_;
  ApiOptions options_;
  Random random_;
  RateLimiter limiter_;
  CredentialSource credentials_;
  std::shared_ptr<Transport> transport_;  // Of those that it carries, too.
  CallContext context_;
  std::map<CallId, std::unique_ptr<Call>> calls_;
  std::map<CallId, CallId> pages_;  // A list of many pages, and its request at hand.
  CallId ids_ = 0;
  // By code and method: looking a series up costs more than counting.
  std::map<std::pair<int, std::string_view>, env::Counter*> answers_;
  std::map<std::string_view, env::Histogram*> durations_;
  std::set<std::string, std::less<>> warnings_;  // Already logged.
  env::Scope scope_;
};

}  // namespace berth::client
