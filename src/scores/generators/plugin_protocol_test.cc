#include "scores/generators/plugin_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::scores {
namespace {

using ::testing::HasSubstr;

const PluginSection kSection{
    .plugin = "otherPlugin",
    .names = {"a", "b"},
    .entries = json::parse(R"([{"name":"a","option":1},{"name":"b"}])").value()};

std::string refusal(std::string_view answer) {
  const auto scores = read_plugin_answer(answer, kSection);
  EXPECT_FALSE(scores.ok()) << answer;
  return scores.ok() ? "" : scores.error().message;
}

Result<double> score_of_a(std::string_view items) {
  const auto scores = read_plugin_answer(
      R"({"protocol":"berth-score-plugin/1","scores":[)" + std::string(items) + "]}", kSection);
  EXPECT_TRUE(scores.ok()) << scores.error().message;
  return scores->at("a");
}

TEST(PluginProtocol, TellsThePluginItsSection) {
  EXPECT_EQ(plugin_request({.ns = "cluster1", .name = "g"}, kSection),
            R"({"protocol":"berth-score-plugin/1","plugin":"otherPlugin",)"
            R"("generator":{"namespace":"cluster1","name":"g"},)"
            R"("entries":[{"name":"a","option":1},{"name":"b"}]})");
}

TEST(PluginProtocol, TakesANumberOrAReasonForEachName) {
  const auto scores = read_plugin_answer(
      R"({"protocol":"berth-score-plugin/1","scores":[{"name":"b","error":"no sensor"},
         {"name":"a","value":-12.5},{"name":"unasked","value":1}]})",
      kSection);
  ASSERT_TRUE(scores.ok());
  ASSERT_EQ(scores->size(), 2U);
  EXPECT_EQ(scores->at("a"), -12.5);
  EXPECT_EQ(scores->at("b").error().message, "it says: no sensor");
}

TEST(PluginProtocol, SaysWhatIsWrongWithOneScore) {
  EXPECT_THAT(score_of_a("").error().message, HasSubstr("did not answer"));
  EXPECT_THAT(score_of_a(R"({"name":"a","value":101})").error().message,
              HasSubstr("101, which is not from -100 to 100"));
  EXPECT_THAT(score_of_a(R"({"name":"a","value":-1e999})").error().message, HasSubstr("not from"));
  EXPECT_THAT(score_of_a(R"({"name":"a","value":"7"})").error().message, HasSubstr("neither"));
  EXPECT_THAT(score_of_a(R"({"name":"a","value":1},{"name":"a","value":2})").error().message,
              HasSubstr("twice"));
}

TEST(PluginProtocol, RefusesWhatIsNoAnswer) {
  EXPECT_THAT(refusal(""), HasSubstr("no JSON document"));
  EXPECT_THAT(refusal("7 clusters"), HasSubstr("no JSON document"));
  EXPECT_THAT(refusal("[]"), HasSubstr("protocol is \"\""));
  EXPECT_THAT(refusal(R"({"protocol":"berth-score-plugin/2","scores":[]})"),
              HasSubstr("expected \"berth-score-plugin/1\""));
  EXPECT_THAT(refusal(R"({"protocol":"berth-score-plugin/1"})"), HasSubstr("scores is no list"));
  EXPECT_THAT(refusal(std::string(100, '[') + std::string(100, ']')), HasSubstr("no JSON"));
}

}  // namespace
}  // namespace berth::scores
