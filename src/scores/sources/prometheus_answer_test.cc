#include "scores/sources/prometheus_answer.h"

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using ::testing::HasSubstr;

Result<PrometheusAnswer> read(std::string_view body, int status = 200) {
  return read_prometheus_answer(status, body, "cluster");
}

std::string vector_of(std::string_view items, std::string_view more = "") {
  return fmt::format(R"({{"status":"success","data":{{"resultType":"vector","result":[{}]}}{}}})",
                     items, more);
}

TEST(PrometheusAnswers, AreVectorsWithAClusterAndAPart) {
  const auto answer = read(vector_of(
      R"({"metric":{"berth_part":"value","cluster":"rome","x":"y"},"value":[1800000000.5,"30"]},
         {"metric":{"berth_part":"time0","cluster":"rome"},"value":[1800000000.5,"1.7999e+09"]},
         {"metric":{},"value":[1800000000,"-0.25"]})"));
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  ASSERT_EQ(answer->series.size(), 3U);
  EXPECT_EQ(answer->series[0], (Series{.cluster = "rome", .part = "value", .number = 30}));
  EXPECT_EQ(answer->series[1], (Series{.cluster = "rome", .part = "time0", .number = 1.7999e9}));
  EXPECT_EQ(answer->series[2], (Series{.number = -0.25}));
  EXPECT_TRUE(answer->warnings.empty());
  EXPECT_TRUE(read(vector_of(""))->series.empty());
}

TEST(PrometheusAnswers, MayHoldWhatIsNoNumber) {
  const auto answer = read(vector_of(R"({"metric":{},"value":[1,"NaN"]},
      {"metric":{},"value":[1,"+Inf"]},{"metric":{},"value":[1,"-Inf"]})"));
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_TRUE(std::isnan(answer->series[0].number));
  EXPECT_EQ(answer->series[1].number, INFINITY);
  EXPECT_EQ(answer->series[2].number, -INFINITY);
}

TEST(PrometheusAnswers, KeepTheFirstWarningsShortened) {
  const std::string many = R"(,"warnings":["a","b","c","d","e","f"])";
  EXPECT_EQ(read(vector_of("", many))->warnings,
            (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  const std::string endless = fmt::format(R"(,"warnings":["{}"])", std::string(100'000, 'w'));
  EXPECT_EQ(read(vector_of("", endless))->warnings[0].size(), 512U);
}

TEST(PrometheusAnswers, OfAnotherShapeAreRefusedWithThePlace) {
  struct Case {
    std::string body;
    std::string_view message;
  };
  const Case cases[] = {
      {R"({"status":"success","data":{"resultType":"scalar","result":[1,"1"]}})",
       "data.resultType: is \"scalar\", where \"vector\" was expected"},
      {R"({"status":"success","data":{"resultType":"matrix","result":[]}})",
       "data.resultType: is \"matrix\""},
      {R"({"status":"success","data":{"resultType":"string","result":[1,"x"]}})", "is \"string\""},
      {R"({"status":"success","data":{"resultType":"vector","result":{}}})",
       "data.result: is no list"},
      {R"({"status":"success"})", "data.resultType: is \"\""},
      {R"({"status":"fine"})", "status: is neither"},
      {vector_of(R"({"metric":{}})"), "data.result[0]: has no value [TIME, \"NUMBER\"]"},
      {vector_of(R"({"metric":{},"value":[1,"1"]},{"metric":{},"value":[1,1]})"),
       "data.result[1]: has no value"},
      {vector_of(R"({"metric":{},"value":[1,"1x"]})"), "data.result[0]: has no value"},
      {vector_of(R"({"metric":{},"value":[1,""]})"), "data.result[0]: has no value"},
      {vector_of(R"({"metric":{},"histogram":[1,{}]})"), "data.result[0]: is a histogram"},
      {"<html>secret</html>", "not JSON: line 1, column 1"},
      {"", "not JSON"},
      {std::string(1000, '['), "not JSON"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body.substr(0, 80));
    const auto answer = read(c.body);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, Code::InternalError);
    EXPECT_THAT(answer.error().message, HasSubstr(c.message));
  }
}

TEST(PrometheusAnswers, CannotHaveMoreSeriesThanFleetsHaveClusters) {
  std::string items;
  for (std::size_t i = 0; i <= kSeriesMax; ++i) {
    items += i == 0 ? R"({"value":[1,"1"]})" : R"(,{"value":[1,"1"]})";
  }
  const auto answer = read(vector_of(items));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::RequestEntityTooLarge);
  EXPECT_THAT(answer.error().message, HasSubstr("aggregate by the cluster label"));
}

TEST(PrometheusAnswers, TellWhatTheServerSaysIsWrong) {
  struct Case {
    int status;
    std::string_view body;
    Code code;
    std::string_view message;
  };
  const Case cases[] = {
      {400, R"({"status":"error","errorType":"bad_data","error":"1:3: parse error"})",
       Code::BadRequest, "bad_data: 1:3: parse error"},
      {422, R"({"status":"error","errorType":"execution","error":"many-to-many"})",
       Code::InternalError, "execution: many-to-many"},
      {503, R"({"status":"error","errorType":"timeout","error":"query timed out"})", Code::Timeout,
       "timeout: query timed out"},
      {503, R"({"status":"error","errorType":"unavailable","error":"store"})",
       Code::ServiceUnavailable, "unavailable: store"},
      {200, R"({"status":"error","error":"odd"})", Code::InternalError, "error: odd"},
      {401, "token abc is wrong", Code::Unauthorized,
       "the server answered 401: check the credentials of the endpoint"},
      {403, "", Code::Forbidden,
       "the server answered 403: the endpoint's credentials may not query"},
      {404, "404 page not found", Code::NotFound,
       "the server answered 404: there is no Prometheus API below the endpoint's url"},
      {429, "", Code::TooManyRequests, "the server answered 429"},
      {302, "", Code::BadRequest, "the server answered 302"},
      {502, "<html>", Code::ServiceUnavailable, "the server answered 502"},
      {504, "", Code::Timeout, "the server answered 504"},
      {500, "", Code::InternalError, "the server answered 500"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const auto answer = read(c.body, c.status);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, c.code);
    EXPECT_EQ(answer.error().message, c.message);
  }
}

}  // namespace
}  // namespace berth::scores
