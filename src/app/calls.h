// Requests to one server from the main thread, each waited for: for commands that do a few things
// and end.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/rate_limiter.h"
#include "base/result.h"
#include "client/api_service.h"
#include "client/client_config.h"
#include "client/edit_service.h"
#include "env/env.h"
#include "json/value.h"

namespace berth::app {

class Calls {
 public:
  // The loop outlives the calls and is not the one of this thread.
  Calls(env::Env& env, const client::ClientConfig& config, RateLimit rate = {});
  ~Calls();

  Result<json::Value> get(const client::ResourcePath& path);
  Result<std::vector<json::Value>> list(const client::ResourcePath& collection,
                                        const std::string& labels = {});
  Result<json::Value> create(const client::ResourcePath& collection, const json::Value& object);
  Result<json::Value> edit(const client::ResourcePath& path, const client::ChangeFunction& change);
  Result<json::Value> merge(const client::ResourcePath& path, const json::Value& patch);
  Result<json::Value> apply(const client::ResourcePath& path, const json::Value& object);
  Result<json::Value> remove(const client::ResourcePath& path);

  // Many at a time. When all are answered: the first error that came.
  using Request = std::function<void(client::Api& api, client::Done done)>;
  Status all(const std::vector<Request>& requests);

  // In the words of kubectl, for stderr.
  std::string text_of(const Error& error) const;

 private:
  using Start = std::function<void(client::Done)>;
  Result<json::Value> wait(const Start& start);

  env::Env& env_;
  http::Url server_;
  std::unique_ptr<client::Api> api_;
};

// Asks again and again, a second apart, until it says yes; false if that took longer.
bool wait_for(Duration patience, const std::function<bool()>& holds);

}  // namespace berth::app
