#include "client/retry.h"

#include <gtest/gtest.h>

#include "client/errors.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using http::Method;

RetryDecision decide(const Error& error, Method method, Attempts attempts = {}) {
  Random random(1);
  return decide_retry(error, method, attempts, {}, random);
}

Error answered(Code code, std::optional<Duration> retry_after) {
  return {.code = code, .message = "", .retry_after = retry_after};
}

void expect_delay(const RetryDecision& decision, Duration least) {
  ASSERT_TRUE(std::holds_alternative<RetryAfter>(decision));
  const Duration delay = std::get<RetryAfter>(decision).delay;
  EXPECT_GE(delay, least);
  EXPECT_LE(delay, least + least / 5);
}

TEST(Retry, AnswersWithRetryAfterGoAgainForEveryVerb) {
  for (const Method method : {Method::Get, Method::Post, Method::Patch, Method::Delete}) {
    expect_delay(decide(answered(Code::TooManyRequests, 3s), method), 3s);
    expect_delay(decide(answered(Code::ServiceUnavailable, 5s), method), 5s);
    expect_delay(decide(answered(Code::InternalError, 1s), method), 1s);
  }
}

TEST(Retry, AnswersWithoutRetryAfterAreTheCallers) {
  EXPECT_EQ(decide(answered(Code::TooManyRequests, std::nullopt), Method::Get), RetryDecision{});
  EXPECT_EQ(decide(answered(Code::InternalError, std::nullopt), Method::Get), RetryDecision{});
  EXPECT_EQ(decide(answered(Code::Conflict, 1s), Method::Put), RetryDecision{});
  EXPECT_EQ(decide(answered(Code::NotFound, 1s), Method::Get), RetryDecision{});
}

TEST(Retry, ALostConnectionRepeatsReadsOnly) {
  const Error lost = network_error(NetworkFailure::Lost, "reset");
  expect_delay(decide(lost, Method::Get), 1s);
  for (const Method method : {Method::Post, Method::Put, Method::Patch, Method::Delete}) {
    EXPECT_EQ(decide(lost, method), RetryDecision{GiveUp{}});
  }
}

TEST(Retry, WhatWasNeverSentMayGoAgainWhateverItIs) {
  expect_delay(decide(network_error(NetworkFailure::NotSent, "refused"), Method::Post), 1s);
}

TEST(Retry, StopsAfterTenAttempts) {
  const Error busy = answered(Code::TooManyRequests, 1s);
  expect_delay(decide(busy, Method::Get, {.made = 9}), 1s);
  EXPECT_EQ(decide(busy, Method::Get, {.made = 10}), RetryDecision{GiveUp{}});
}

TEST(Retry, A401IsWorthOneRefreshOfTheCredentials) {
  const Error denied{.code = Code::Unauthorized};
  EXPECT_EQ(decide(denied, Method::Post), RetryDecision{RefreshCredentials{}});
  EXPECT_EQ(decide(denied, Method::Post, {.made = 2, .credentials_refreshed = true}),
            RetryDecision{GiveUp{}});
}

}  // namespace
}  // namespace berth::client
