#include "apiserver/verbs/outcome.h"

#include <chrono>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {

Response json_response(int status, std::string text) {
  Response response{.status = status};
  response.headers.add("content-type", "application/json");
  response.headers.add("cache-control", "no-cache, private");
  response.body = http::Body(std::move(text));
  return response;
}

Response json_response(int status, const json::Value& value) {
  std::string text;
  json::append(text, value, {.html = json::HtmlEscape::Yes});
  text += '\n';
  return json_response(status, std::move(text));
}

Response refusal_response(const Refusal& refusal) {
  const Error& error = refusal.error;
  json::Value status = failure_status(error, refusal.details);
  if (!refusal.continue_token.empty()) status["metadata"]["continue"] = refusal.continue_token;
  Response response = json_response(http_status(error.code), status);
  if (error.retry_after) {
    response.headers.add(
        "retry-after",
        std::to_string(std::chrono::ceil<std::chrono::seconds>(*error.retry_after).count()));
  }
  return response;
}

void add_warning(Response& response, std::string_view text) {
  response.headers.add("warning", fmt::format("299 - {}", quote(text)));
}

}  // namespace berth::apiserver
