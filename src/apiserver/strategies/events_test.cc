#include "apiserver/strategies/events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kCore = "/api/v1/namespaces/team/events";
const std::string kOther = "/apis/events.k8s.io/v1/namespaces/team/events";

std::string new_event(std::string_view name, std::string_view more = "") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"eventTime":"2026-01-01T00:00:00.000000Z","note":"n",)"
      R"("regarding":{{"namespace":"team","kind":"Pod","name":"p"}},"type":"Normal",)"
      R"("reportingController":"ex.io/c","reportingInstance":"c-1","action":"A","reason":"R"{}}})",
      name, more);
}

TEST(Events, AreOneThingUnderTwoNames) {
  TestHub hub;
  const HubAnswer made = hub.post(kOther, new_event("e"));
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/apiVersion"), "events.k8s.io/v1");
  const HubAnswer core = hub.get(kCore + "/e");
  EXPECT_EQ(core.at("/apiVersion"), "v1");
  EXPECT_EQ(core.at("/message"), "n");
  EXPECT_EQ(core.at("/involvedObject/name"), "p");
  EXPECT_EQ(core.at("/reportingComponent"), "ex.io/c");
  EXPECT_EQ(hub.get(kOther).at("/kind"), "EventList");
  EXPECT_EQ(hub.get(kOther).at("/items/0/note"), "n");
  EXPECT_EQ(hub.get(kCore + "?fieldSelector=involvedObject.name%3Dp").at("/items/0/message"), "n");
  const HubAnswer events = hub.get(kOther + "?watch=1");
  EXPECT_EQ(events.at("/object/note"), "n");
}

TEST(Events, RecordersOfTheOldKindCountWithAPatch) {
  TestHub hub;
  const std::string body =
      R"({"metadata":{"name":"o"},"message":"m","count":1,"type":"Normal","reason":"R",
          "involvedObject":{"namespace":"team","kind":"Pod","name":"p"},
          "firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:00Z"})";
  EXPECT_EQ(hub.post(kCore, body).status, 201);
  const HubAnswer counted =
      hub.patch(kCore + "/o", R"({"count":2,"lastTimestamp":"2026-01-01T00:01:00Z"})",
                "application/strategic-merge-patch+json");
  EXPECT_EQ(counted.status, 200) << counted.body;
  EXPECT_EQ(counted.at("/count"), "2");
  EXPECT_EQ(hub.get(kOther + "/o").at("/deprecatedCount"), "2");
}

TEST(Events, AreWhereTheThingIsThatTheyTellOf) {
  TestHub hub;
  const auto about = [](std::string_view ns) {
    return fmt::format(R"({{"metadata":{{"name":"e"}},"involvedObject":{{"namespace":"{}"}}}})",
                       ns);
  };
  EXPECT_EQ(hub.post(kCore, about("other")).status, 422);
  EXPECT_EQ(hub.post(kCore, about("")).at("/details/causes/0/field"), "involvedObject.namespace");
  EXPECT_EQ(hub.post(kCore, about("team")).status, 201);
  EXPECT_EQ(hub.post("/api/v1/namespaces/default/events", about("")).status, 201);
}

TEST(Events, NewOnesSayWhoSawWhat) {
  TestHub hub;
  struct Row {
    const char* body;
    const char* field;
  };
  for (const Row& row : {
           Row{R"({"type":""})", "type"},
           Row{R"({"type":"Strange"})", "type"},
           Row{R"({"action":""})", "action"},
           Row{R"({"reason":""})", "reason"},
           Row{R"({"reportingController":""})", "reportingController"},
           Row{R"({"reportingController":"not a name!"})", "reportingController"},
           Row{R"({"reportingInstance":""})", "reportingInstance"},
       }) {
    const std::string more = std::string(",").append(row.body + 1);
    const HubAnswer refused = hub.post(kOther + "?fieldValidation=Ignore",
                                       new_event("x", more.substr(0, more.size() - 1)));
    EXPECT_EQ(refused.status, 422) << row.body;
    EXPECT_EQ(refused.at("/details/causes/0/field"), row.field) << refused.body;
  }
  EXPECT_EQ(hub.post(kOther, R"({"metadata":{"name":"y"},"regarding":{"namespace":"team"}})")
                .at("/details/causes/0/field"),
            "eventTime");
}

TEST(Events, PutCreates) {
  TestHub hub;
  EXPECT_EQ(hub.put(kOther + "/e", new_event("e")).status, 201);
}

}  // namespace
}  // namespace berth::apiserver
