#include "client/errors.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

Error of(std::string_view text) { return error_of_status(json::parse(text).value()); }

TEST(Errors, AStatusKeepsReasonMessageCausesAndDelay) {
  const Error error = of(R"({"kind":"Status","apiVersion":"v1","status":"Failure",
    "message":"no","reason":"Invalid","code":422,"details":{"retryAfterSeconds":3,
    "causes":[{"reason":"FieldValueInvalid","message":"bad","field":"spec.n"}]}})");
  EXPECT_EQ(error.code, Code::Invalid);
  EXPECT_EQ(error.message, "no");
  ASSERT_EQ(error.causes.size(), 1u);
  EXPECT_EQ(error.causes[0], (Cause{"FieldValueInvalid", "bad", "spec.n"}));
  EXPECT_EQ(error.retry_after, Duration(3s));
}

TEST(Errors, AnUnknownReasonIsToldByItsCode) {
  EXPECT_EQ(of(R"({"reason":"Teapot","code":404})").code, Code::NotFound);
  EXPECT_EQ(of(R"({"code":500})").code, Code::InternalError);
  EXPECT_EQ(of(R"({"code":99999999999})").code, Code::InternalError);
  EXPECT_EQ(of(R"({})").message, "the server gave no message");
}

TEST(Errors, AnAnswerThatIsNoStatusIsToldByItsHttpCode) {
  struct Case {
    int http_code;
    http::Method method;
    Code code;
  };
  const Case cases[] = {
      {400, http::Method::Get, Code::BadRequest},
      {401, http::Method::Get, Code::Unauthorized},
      {403, http::Method::Get, Code::Forbidden},
      {404, http::Method::Get, Code::NotFound},
      {409, http::Method::Post, Code::AlreadyExists},
      {409, http::Method::Put, Code::Conflict},
      {410, http::Method::Get, Code::Expired},
      {422, http::Method::Put, Code::Invalid},
      {429, http::Method::Get, Code::TooManyRequests},
      {500, http::Method::Get, Code::InternalError},
      {502, http::Method::Get, Code::InternalError},
      {503, http::Method::Get, Code::ServiceUnavailable},
      {504, http::Method::Get, Code::Timeout},
      {418, http::Method::Get, Code::Unknown},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(error_of_code(c.http_code, c.method, "").code, c.code) << c.http_code;
  }
}

TEST(Errors, TheBodyOfAPlainAnswerIsQuotedAndShortened) {
  EXPECT_EQ(error_of_code(502, http::Method::Get, " upstream \"x\" died\n").message,
            R"(the server answered 502 Bad Gateway: "upstream \"x\" died")");
  EXPECT_LT(error_of_code(502, http::Method::Get, std::string(9999, 'x')).message.size(), 400u);
  EXPECT_EQ(error_of_code(502, http::Method::Get, "\xff").message,
            "the server answered 502 Bad Gateway");
}

TEST(Errors, RetryAfterIsANumberOfSeconds) {
  EXPECT_EQ(parse_retry_after(" 7 "), Duration(7s));
  EXPECT_EQ(parse_retry_after("Wed, 21 Oct 2026 07:28:00 GMT"), std::nullopt);
  EXPECT_EQ(parse_retry_after("-1"), std::nullopt);
  EXPECT_EQ(parse_retry_after("99999999999"), Duration(24h));
}

TEST(Errors, AStatusIsToldFromOtherDocuments) {
  EXPECT_TRUE(is_status(json::parse(R"({"kind":"Status","apiVersion":"v1"})").value()));
  EXPECT_FALSE(is_status(json::parse(R"({"kind":"Status","apiVersion":"x/v1"})").value()));
  EXPECT_FALSE(is_status(json::parse("[]").value()));
}

TEST(Errors, NetworkFailuresAreToldFromAnswers) {
  const Error refused = network_error(NetworkFailure::NotSent, "refused");
  EXPECT_EQ(network_failure(refused), NetworkFailure::NotSent);
  EXPECT_EQ(network_failure(network_error(NetworkFailure::Lost, "reset")), NetworkFailure::Lost);
  EXPECT_EQ(network_failure({.code = Code::ServiceUnavailable}), std::nullopt);
}

TEST(Errors, QuestionsLookAtCausesWhereTheReasonIsShared) {
  Error error{.code = Code::Forbidden};
  EXPECT_FALSE(is_namespace_terminating(error));
  error.causes = {{.reason = "NamespaceTerminating"}};
  EXPECT_TRUE(is_namespace_terminating(error));

  Error late{.code = Code::Timeout};
  EXPECT_FALSE(is_resource_version_too_large(late));
  late.causes = {{.reason = "ResourceVersionTooLarge"}};
  EXPECT_TRUE(is_resource_version_too_large(late));
  EXPECT_TRUE(is_resource_version_too_large(
      {.code = Code::Timeout, .message = "Too large resource version: 9, current: 4"}));

  EXPECT_TRUE(is_stale_write({.code = Code::Conflict}));
  EXPECT_FALSE(is_stale_write({.code = Code::Invalid}));
  EXPECT_TRUE(is_stale_write({.code = Code::Invalid, .causes = {{.field = "metadata.uid"}}}));
  EXPECT_TRUE(is_expired({.code = Code::Gone}));
  EXPECT_TRUE(is_expired({.code = Code::Expired}));
}

}  // namespace
}  // namespace berth::client
