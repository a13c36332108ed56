#include "apiserver/requests/options.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

Query query(std::string_view text) { return http::parse_query(text).value(); }

TEST(ListOptions, ReadsWhatInformersSend) {
  const auto options = read_list_options(
      query("allowWatchBookmarks=true&resourceVersion=7&resourceVersionMatch=NotOlderThan&"
            "sendInitialEvents=true&timeoutSeconds=451&labelSelector=a%3Db"),
      ListUse::Watch);
  ASSERT_TRUE(options.has_value());
  EXPECT_TRUE(options->wants_bookmarks);
  EXPECT_EQ(options->version, 7);
  EXPECT_EQ(options->sends_initial, true);
  EXPECT_EQ(options->timeout, 451s);
  EXPECT_EQ(options->labels.to_string(), "a=b");
}

TEST(ListOptions, RefusesWhatDoesNotGoTogether) {
  struct Case {
    std::string_view query;
    ListUse use;
    Code code;
  };
  const Case cases[] = {
      {"resourceVersionMatch=Exact", ListUse::List, Code::Invalid},
      {"resourceVersionMatch=Exact&resourceVersion=0", ListUse::List, Code::Invalid},
      {"resourceVersionMatch=Exact&resourceVersion=5&continue=x", ListUse::List, Code::Invalid},
      {"resourceVersionMatch=Newest&resourceVersion=5", ListUse::List, Code::Invalid},
      {"sendInitialEvents=true", ListUse::List, Code::Invalid},
      {"sendInitialEvents=true", ListUse::Watch, Code::Invalid},
      {"resourceVersionMatch=NotOlderThan&resourceVersion=1", ListUse::Watch, Code::Invalid},
      {"resourceVersion=abc", ListUse::List, Code::BadRequest},
      {"limit=many", ListUse::List, Code::BadRequest},
      {"labelSelector=a%3D%3D%3Db", ListUse::List, Code::BadRequest},
      {"fieldSelector=a", ListUse::List, Code::BadRequest},
  };
  for (const Case& c : cases) {
    const auto options = read_list_options(query(c.query), c.use);
    ASSERT_FALSE(options.has_value()) << c.query;
    EXPECT_EQ(options.error().error.code, c.code) << c.query;
  }
}

TEST(WriteOptions, ReadsThemAll) {
  const auto options = read_write_options(
      query("dryRun=All&fieldManager=me&fieldValidation=Strict&force=true"), "PatchOptions");
  ASSERT_TRUE(options.has_value());
  EXPECT_TRUE(options->is_dry_run);
  EXPECT_EQ(options->manager, "me");
  EXPECT_EQ(options->validation, FieldValidation::Strict);
  EXPECT_EQ(options->force, true);
}

TEST(WriteOptions, WarnsUnlessToldOtherwise) {
  EXPECT_EQ(read_write_options({}, "CreateOptions")->validation, FieldValidation::Warn);
}

TEST(WriteOptions, RefusesUnknownValues) {
  for (const std::string_view text :
       {"dryRun=Some", "fieldValidation=Loose", "fieldManager=a%0Ab"}) {
    const auto options = read_write_options(query(text), "CreateOptions");
    ASSERT_FALSE(options.has_value()) << text;
    EXPECT_EQ(options.error().details.kind, "CreateOptions");
    EXPECT_EQ(options.error().error.code, Code::Invalid);
  }
}

TEST(DeleteOptions, PrefersTheBody) {
  const auto body =
      json::parse(R"({"gracePeriodSeconds":0,"preconditions":{"uid":"u","resourceVersion":"5"},)"
                  R"("propagationPolicy":"Foreground","dryRun":["All"]})");
  const auto options = read_delete_options(&*body, query("propagationPolicy=Orphan"));
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->grace_seconds, 0);
  EXPECT_EQ(options->uid, "u");
  EXPECT_EQ(options->version, "5");
  EXPECT_EQ(options->propagation, Propagation::Foreground);
  EXPECT_TRUE(options->is_dry_run);
  EXPECT_EQ(read_delete_options(nullptr, query("propagationPolicy=Orphan"))->propagation,
            Propagation::Orphan);
}

TEST(DeleteOptions, RefusesTwoWaysToSayTheSame) {
  const auto body = json::parse(R"({"propagationPolicy":"Orphan","orphanDependents":true})");
  EXPECT_FALSE(read_delete_options(&*body, {}).has_value());
  const auto unknown = json::parse(R"({"propagationPolicy":"Sideways"})");
  EXPECT_FALSE(read_delete_options(&*unknown, {}).has_value());
}

TEST(Timeout, IsAtMostTheServersOwn) {
  EXPECT_EQ(read_timeout(query("timeout=5s"), 60s).value(), 5s);
  EXPECT_EQ(read_timeout(query("timeout=5h"), 60s).value(), 60s);
  EXPECT_EQ(read_timeout(query("timeout=0s"), 60s).value(), 60s);
  EXPECT_EQ(read_timeout({}, 60s).value(), 60s);
  EXPECT_FALSE(read_timeout(query("timeout=soon"), 60s).has_value());
}

}  // namespace
}  // namespace berth::apiserver
