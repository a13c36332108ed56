#include "apiserver/verbs/outcome.h"

#include <gtest/gtest.h>

#include "apiserver/refusal.h"

namespace berth::apiserver {
namespace {

std::string text_of(Response& response) {
  std::string text(4096, '\0');
  text.resize(response.body.pull(text).bytes);
  return text;
}

TEST(Outcome, AnswersAreJsonThatNobodyKeeps) {
  Response response = json_response(201, json::Value::object({{"a", "<"}}));
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.headers.find("content-type"), "application/json");
  EXPECT_EQ(response.headers.find("cache-control"), "no-cache, private");
  EXPECT_EQ(text_of(response), "{\"a\":\"\\u003c\"}\n");
}

TEST(Outcome, ARefusalIsAStatus) {
  Response response = refusal_response({Error{.code = Code::TooManyRequests,
                                              .message = "later",
                                              .retry_after = std::chrono::milliseconds(1500)},
                                        {.name = "n", .kind = "pods"}});
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.headers.find("retry-after"), "2");
  const std::string text = text_of(response);
  EXPECT_TRUE(text.contains(R"("reason":"TooManyRequests")")) << text;
  EXPECT_TRUE(text.contains(R"("name":"n")")) << text;
}

TEST(Outcome, AnExpiredListSaysHowToGoOn) {
  Refusal refusal(Error{.code = Code::Expired, .message = "old"});
  refusal.continue_token = "abc";
  Response response = refusal_response(refusal);
  EXPECT_EQ(response.status, 410);
  EXPECT_TRUE(text_of(response).contains(R"("metadata":{"continue":"abc"})"));
}

TEST(Outcome, WarningsAreQuoted) {
  Response response;
  add_warning(response, "a \"b\"");
  EXPECT_EQ(response.headers.find("warning"), R"(299 - "a \"b\"")");
}

}  // namespace
}  // namespace berth::apiserver
