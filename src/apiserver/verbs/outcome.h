// What answering a request comes to: an answer, a watch, or writes whose result decides.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "apiserver/requests/options.h"
#include "apiserver/requests/request_info.h"
#include "apiserver/user.h"
#include "apiserver/verbs/view.h"
#include "apiserver/watch/watch_stream.h"
#include "http/body.h"
#include "http/message.h"
#include "store/entry.h"

namespace berth::apiserver {

struct Response {
  int status = 200;
  http::Headers headers = {};
  http::Body body = {};
};

struct Outcome;

// The writes are made together, in this order; `then` says how to go on when all of them are
// durable. If the store has changed meanwhile and one of them does not fit any more, the whole
// request is answered anew.
struct WriteIntent {
  std::vector<store::EntryWrite> writes;
  std::move_only_function<Outcome(const View& view, std::span<const store::Written> written)> then;
};

struct Outcome {
  std::variant<Response, WatchPlan, WriteIntent> what;

  Outcome(Response response) : what(std::move(response)) {}  // NOLINT: one of the three.
  Outcome(WatchPlan plan) : what(std::move(plan)) {}         // NOLINT
  Outcome(WriteIntent intent) : what(std::move(intent)) {}   // NOLINT
};

// One request, read but not yet understood.
struct ApiRequest {
  RequestInfo info;
  Query query = {};
  http::Headers headers = {};
  std::string body = {};
  User user = {};
};

Response json_response(int status, const json::Value& value);
Response json_response(int status, std::string text);
Response refusal_response(const Refusal& refusal);

// "299 - "text"": shown by kubectl.
void add_warning(Response& response, std::string_view text);

}  // namespace berth::apiserver
