#include "http/answer.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

// A connection with the one request 7.
class OneExchange final : public Exchanges {
 public:
  bool is_open(StreamId id) const override { return open && id == 7; }
  void on_closed(StreamId, Closed) override { ++watched; }
  void respond(StreamId id, ResponseHead head, Body) override {
    EXPECT_EQ(id, 7);
    answers.push_back(std::move(head));
  }
  void resume(StreamId) override { ++resumed; }
  void release(StreamId, std::size_t bytes) override { released += bytes; }

  bool open = true;
  std::vector<ResponseHead> answers;
  int watched = 0;
  int resumed = 0;
  std::size_t released = 0;
};

TEST(Answer, IsGivenOnce) {
  const auto exchange = std::make_shared<OneExchange>();
  Answer answer(exchange, 7);
  EXPECT_TRUE(answer.is_wanted());
  answer.send({.status = 201}, {});
  EXPECT_FALSE(answer.is_wanted());
  answer.send({.status = 202}, {});
  ASSERT_EQ(exchange->answers.size(), 1u);
  EXPECT_EQ(exchange->answers[0].status, 201);
}

TEST(Answer, SaysThatItWasForgotten) {
  const auto exchange = std::make_shared<OneExchange>();
  {
    const Answer answer(exchange, 7);
  }
  ASSERT_EQ(exchange->answers.size(), 1u);
  EXPECT_EQ(exchange->answers[0].status, 500);
}

TEST(Answer, MovesWithoutASound) {
  const auto exchange = std::make_shared<OneExchange>();
  {
    Answer first(exchange, 7);
    Answer second = std::move(first);
    Answer third;
    third = std::move(second);
    EXPECT_TRUE(third.is_wanted());
    EXPECT_TRUE(exchange->answers.empty());
    third.send({}, {});
  }
  EXPECT_EQ(exchange->answers.size(), 1u);
}

TEST(Answer, OneThatIsOverwrittenIsForgottenToo) {
  const auto exchange = std::make_shared<OneExchange>();
  Answer answer(exchange, 7);
  answer = Answer();
  EXPECT_EQ(exchange->answers.size(), 1u);
}

TEST(Answer, IsNotMissedByAClientThatLeft) {
  const auto exchange = std::make_shared<OneExchange>();
  {
    const Answer answer(exchange, 7);
    exchange->open = false;
    EXPECT_FALSE(answer.is_wanted());
  }
  EXPECT_TRUE(exchange->answers.empty());
}

TEST(Answer, OutlivesTheConnection) {
  auto exchange = std::make_shared<OneExchange>();
  Answer answer(exchange, 7);
  const Waker wake = answer.waker();
  wake();
  answer.release(3);
  answer.on_closed([](StreamEnd) {});
  EXPECT_EQ(exchange->resumed + exchange->watched, 2);
  EXPECT_EQ(exchange->released, 3u);
  exchange.reset();
  wake();
  answer.release(1);
  answer.on_closed([](StreamEnd) {});
  EXPECT_FALSE(answer.is_wanted());
  answer.send({}, {});
}

TEST(Answer, AnErrorSaysWhenToComeBack) {
  const auto exchange = std::make_shared<OneExchange>();
  Answer(exchange, 7)
      .send_error({.code = Code::TooManyRequests,
                   .message = "no",
                   .retry_after = std::chrono::milliseconds(1500)});
  ASSERT_EQ(exchange->answers.size(), 1u);
  EXPECT_EQ(exchange->answers[0].status, 429);
  EXPECT_EQ(exchange->answers[0].headers.find("retry-after"), "2");
}

}  // namespace
}  // namespace berth::http
