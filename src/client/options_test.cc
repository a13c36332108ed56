#include "client/options.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

TEST(Options, AListAsksForWhatIsSetAndNothingElse) {
  EXPECT_EQ(query_of(ListOptions{}), Query{});
  EXPECT_EQ(
      query_of(ListOptions{
          .selection = {.labels = "a=b", .fields = "x=y"}, .resource_version = "0", .limit = 500}),
      (Query{{"labelSelector", "a=b"},
             {"fieldSelector", "x=y"},
             {"limit", "500"},
             {"resourceVersion", "0"}}));
}

TEST(Options, ALaterPageNamesNoVersion) {
  EXPECT_EQ(query_of(ListOptions{.resource_version = "0",
                                 .resource_version_match = "NotOlderThan",
                                 .limit = 5,
                                 .continue_token = "t"}),
            (Query{{"limit", "5"}, {"continue", "t"}}));
}

TEST(Options, AWatchAlwaysAsksForBookmarks) {
  EXPECT_EQ(query_of(WatchOptions{.resource_version = "7", .timeout = 300500ms}),
            (Query{{"watch", "true"},
                   {"allowWatchBookmarks", "true"},
                   {"resourceVersion", "7"},
                   {"timeoutSeconds", "301"}}));
}

TEST(Options, InitialEventsComeWithTheMatchThatServersDemand) {
  EXPECT_EQ(query_of(WatchOptions{.initial_events = InitialEvents::Yes, .timeout = 300s}),
            (Query{{"watch", "true"},
                   {"allowWatchBookmarks", "true"},
                   {"sendInitialEvents", "true"},
                   {"resourceVersionMatch", "NotOlderThan"},
                   {"timeoutSeconds", "300"}}));
}

TEST(Options, WritesCarryDryRunManagerAndValidation) {
  EXPECT_EQ(query_of(WriteOptions{}), Query{});
  EXPECT_EQ(query_of(WriteOptions{.dry_run = DryRun::Yes,
                                  .field_manager = "berth",
                                  .field_validation = FieldValidation::Strict}),
            (Query{{"dryRun", "All"}, {"fieldManager", "berth"}, {"fieldValidation", "Strict"}}));
}

TEST(Options, OnlyAnApplyCanForce) {
  const auto force = ApplyConflicts::TakeOver;
  EXPECT_EQ(query_of(PatchOptions{.type = PatchType::Merge, .conflicts = force}), Query{});
  EXPECT_EQ(query_of(PatchOptions{.type = PatchType::Apply, .conflicts = force}),
            (Query{{"force", "true"}}));
}

TEST(Options, ADeleteCarriesItsOptionsInTheBody) {
  EXPECT_EQ(body_of(DeleteOptions{}),
            json::parse(R"({"apiVersion":"v1","kind":"DeleteOptions"})").value());
  EXPECT_EQ(body_of(DeleteOptions{.dry_run = DryRun::Yes,
                                  .propagation = Propagation::Foreground,
                                  .grace_period_seconds = 0,
                                  .uid = "u",
                                  .resource_version = "3"}),
            json::parse(R"({"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,
              "preconditions":{"uid":"u","resourceVersion":"3"},
              "propagationPolicy":"Foreground","dryRun":["All"]})")
                .value());
}

TEST(Options, EachPatchHasItsMediaType) {
  EXPECT_EQ(content_type_of(PatchType::Json), "application/json-patch+json");
  EXPECT_EQ(content_type_of(PatchType::Merge), "application/merge-patch+json");
  EXPECT_EQ(content_type_of(PatchType::Strategic), "application/strategic-merge-patch+json");
  EXPECT_EQ(content_type_of(PatchType::Apply), "application/apply-patch+yaml");
}

}  // namespace
}  // namespace berth::client
