#include "apiserver/verbs/writing.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kMaps = "/api/v1/namespaces/team/configmaps";

TEST(Writing, TheManagerIsWhoSaysSoOrTheProgramThatAsks) {
  ApiRequest request;
  EXPECT_EQ(manager_of(request, {}), "unknown");
  request.headers.add("user-agent", "kubectl/v1.35 (linux)");
  EXPECT_EQ(manager_of(request, {}), "kubectl");
  EXPECT_EQ(manager_of(request, {.manager = "me"}), "me");
  ApiRequest wordy;
  wordy.headers.add("user-agent", std::string(500, 'x'));
  EXPECT_EQ(manager_of(wordy, {}), std::string(128, 'x'));
}

TEST(Writing, BodyAndPathHaveToAgree) {
  struct Row {
    const char* body;
    int status;
  };
  TestHub hub;
  for (const Row& row : {
           Row{R"({"metadata":{"name":"a"}})", 201},
           Row{R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b"}})", 201},
           Row{R"({"metadata":{"name":"c","namespace":"team"}})", 201},
           Row{R"({"metadata":{"name":"d","namespace":"default"}})", 400},
           Row{R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"e"}})", 400},
           Row{R"({"apiVersion":"v2","metadata":{"name":"f"}})", 400},
           Row{R"({"metadata":[]})", 400},
           Row{R"({"metadata":null})", 422},
       }) {
    EXPECT_EQ(hub.post(kMaps, row.body).status, row.status) << row.body;
  }
  EXPECT_EQ(hub.put(kMaps + "/a", R"({"metadata":{"name":"b"}})").status, 400);
  EXPECT_EQ(hub.put(kMaps + "/a", R"({"metadata":{}})").status, 400);
  EXPECT_EQ(hub.post("/api/v1/nodes", R"({"metadata":{"name":"n","namespace":"team"}})").status,
            400);
}

TEST(Writing, ARefusalOfTheBodyNamesWhatDiffers) {
  TestHub hub;
  EXPECT_EQ(hub.post(kMaps, R"({"metadata":{"name":"d","namespace":"default"}})").at("/message"),
            "the namespace of the provided object does not match the namespace sent on the "
            "request");
  EXPECT_EQ(hub.put(kMaps + "/a", R"({"metadata":{"name":"b"}})").at("/message"),
            "the name of the object (b) does not match the name on the URL (a)");
}

TEST(Writing, WarningsGoWithTheAnswer) {
  const auto resource = std::make_shared<Resource>();
  resource->gvr = {.version = "v1", .resource = "configmaps"};
  resource->storage_version = "v1";
  const Rendering rendering(resource, AnswerForm::Json, IncludeObject::Object, Time());
  const auto entry = std::make_shared<store::Entry>(store::Entry{.text = "{}"});
  Response response = written_response(201, rendering, {.entry = entry}, {"one", "two"});
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.headers.count("warning"), 2);
  EXPECT_EQ(response.headers.find("warning"), "299 - \"one\"");
}

}  // namespace
}  // namespace berth::apiserver
