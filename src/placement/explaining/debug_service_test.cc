#include "placement/explaining/debug_service.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

// Keeps the head of the one answer.
class OneExchange final : public http::Exchanges {
 public:
  bool is_open(http::StreamId) const override { return true; }
  void on_closed(http::StreamId, http::Closed) override {}
  void respond(http::StreamId, http::ResponseHead head, http::Body) override {
    answer = std::move(head);
  }
  void resume(http::StreamId) override {}
  void release(http::StreamId, std::size_t) override {}

  std::optional<http::ResponseHead> answer;
};

TEST(DebugRoute, AnswersOverHttp) {
  const Situation situation{Options{}};
  const control::Route route = debug_route([&] {
    return DebugSource{.situation = situation,
                       .find = [](const api::ObjectKey&) { return nullptr; },
                       .clusters = [] { return std::vector<std::shared_ptr<const json::Value>>(); },
                       .now = Time{}};
  });
  const auto exchange = std::make_shared<OneExchange>();
  route({.head = {.target = "/debug/placements/ns/p?x=1"}, .peer = nullptr},
        http::Answer(exchange, 1));
  ASSERT_TRUE(exchange->answer);
  EXPECT_EQ(exchange->answer->status, 404);
  EXPECT_EQ(exchange->answer->headers.find("content-type"), "application/json");
  route({.head = {.method = http::Method::Post, .target = "/debug/placements/"},
         .peer = nullptr,
         .body = R"({"metadata":{"name":"q","namespace":"ns"}})"},
        http::Answer(exchange, 3));
  EXPECT_EQ(exchange->answer->status, 200);
}

}  // namespace
}  // namespace berth::placement
