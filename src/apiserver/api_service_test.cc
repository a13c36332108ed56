#include "apiserver/api_service.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "json/print.h"
#include "sim/world.h"
#include "store/durable_store_service.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using testing::HubAnswer;

// One client's end: answers by the number of their request.
class Answers final : public http::Exchanges {
 public:
  struct Kept {
    http::ResponseHead head;
    http::Body body;
    std::string text = {};
    int resumed = 0;
    bool ended = false;
  };

  bool is_open(http::StreamId) const override { return true; }
  void on_closed(http::StreamId, http::Closed) override {}
  void respond(http::StreamId id, http::ResponseHead head, http::Body body) override {
    kept.emplace(id, Kept{.head = std::move(head), .body = std::move(body)});
  }
  void resume(http::StreamId id) override {
    if (const auto at = kept.find(id); at != kept.end()) ++at->second.resumed;
  }
  void release(http::StreamId, std::size_t) override {}

  // Takes what there is now.
  const std::string& read(http::StreamId id) {
    Kept& one = kept.at(id);
    std::string room(4096, '\0');
    while (!one.ended) {
      const http::Pull pull = one.body.pull(room);
      one.text.append(room, 0, pull.bytes);
      one.ended = pull.state == http::Pull::State::End;
      if (pull.state != http::Pull::State::More) break;
    }
    return one.text;
  }

  std::map<http::StreamId, Kept> kept;
};

// A hub in a simulated process: the store on the first loop, the server on the second.
class ApiServerTest : public ::testing::Test {
 protected:
  explicit ApiServerTest(ApiLimits limits = {})
      : limits_(limits), world_({.seed = 1}), node_(world_.add_node("hub", {.loops = 2})) {
    node_.start([this](std::span<env::Env> loops) { return start(loops); });
    world_.run_for(100ms);
    send(http::Method::Post, "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  }
  ~ApiServerTest() override { answers_->kept.clear(); }

  http::StreamId begin(http::Method method, std::string target, std::string body = {},
                       std::string token = "admin-token",
                       std::vector<std::pair<std::string, std::string>> headers = {}) {
    const http::StreamId id = ++last_;
    http::ServerRequest request{.head = {.method = method, .target = std::move(target)},
                                .peer = peer_,
                                .body = std::move(body)};
    request.head.headers.add("content-type", "application/json");
    if (!token.empty()) request.head.headers.add("authorization", "Bearer " + token);
    for (const auto& [name, value] : headers) request.head.headers.add(name, value);
    server_->on_request(std::move(request), http::Answer(answers_, id));
    return id;
  }
  HubAnswer answer(http::StreamId id) {
    world_.run_until([&] { return answers_->kept.contains(id); }, 10s);
    if (!answers_->kept.contains(id)) return {};
    const http::ResponseHead head = answers_->kept.at(id).head;
    return {.status = head.status, .headers = head.headers, .body = answers_->read(id)};
  }
  template <typename... Arguments>
  HubAnswer send(Arguments... arguments) {
    return answer(begin(std::move(arguments)...));
  }
  HubAnswer get(std::string target, std::string token = "admin-token") {
    return send(http::Method::Get, std::move(target), std::string(), std::move(token));
  }

  ApiLimits limits_;
  sim::World world_;
  sim::Node& node_;
  std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
  std::shared_ptr<const env::Peer> peer_ =
      std::make_shared<env::Peer>(env::Peer{.address = {.host = "10.0.0.9", .port = 1}});
  ApiServer* server_ = nullptr;
  std::vector<std::string> audit_;
  http::StreamId last_ = 0;

 private:
  struct Hub {
    std::unique_ptr<store::DurableStore> store;
    std::unique_ptr<ApiServer> server;
  };

  std::shared_ptr<void> start(std::span<env::Env> loops) {
    auto hub = std::make_shared<Hub>();
    hub->store =
        store::DurableStore::open(loops[0], {.directory = "/data"}, [](const Error&) {}).value();
    env::Env& world = loops[1];
    hub->server = std::make_unique<ApiServer>(
        ApiServer::World{.clock = world.clock,
                         .loop = world.loop,
                         .entropy = world.entropy,
                         .log = world.log,
                         .metrics = world.metrics},
        *hub->store, testing::test_facts(), limits_,
        [this](std::string line) { audit_.push_back(std::move(line)); });
    server_ = hub->server.get();
    return hub;
  }
};

const std::string kMaps = "/api/v1/namespaces/team/configmaps";

TEST_F(ApiServerTest, AWriteIsAnsweredWhenItIsDurable) {
  const http::StreamId id = begin(http::Method::Post, kMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_FALSE(answers_->kept.contains(id));
  EXPECT_EQ(answer(id).status, 201);
  const HubAnswer read = get(kMaps + "/a");
  EXPECT_EQ(read.status, 200);
  EXPECT_NE(read.headers.find("audit-id"), std::nullopt);
}

TEST_F(ApiServerTest, WhoIsNotKnownIsNobody) {
  EXPECT_EQ(get("/api/v1/namespaces", "").status, 403);
  EXPECT_TRUE(get("/api/v1/namespaces", "")
                  .at("/message")
                  .contains("User \"system:anonymous\" cannot list resource \"namespaces\""));
  const HubAnswer wrong = get("/api/v1/namespaces", "wrong");
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(wrong.at("/reason"), "Unauthorized");
  EXPECT_EQ(wrong.at("/message"), "Unauthorized");
}

TEST_F(ApiServerTest, RightsCountFromTheMomentTheyAreGiven) {
  EXPECT_EQ(get(kMaps, "eve-token").status, 403);
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/team/";
  send(http::Method::Post, rbac + "roles",
       R"({"metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["configmaps"],
           "resourceNames":["a"],"verbs":["get","list","watch"]}]})");
  send(http::Method::Post, rbac + "rolebindings",
       R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
           "kind":"Role","name":"r"},"subjects":[{"kind":"User","name":"eve",
           "apiGroup":"rbac.authorization.k8s.io"}]})");
  EXPECT_EQ(get(kMaps, "eve-token").status, 403);
  EXPECT_EQ(get(kMaps + "/a", "eve-token").status, 404);
  // Whoever may see one object only can list just that one.
  EXPECT_EQ(get(kMaps + "?fieldSelector=metadata.name%3Da", "eve-token").status, 200);
}

TEST_F(ApiServerTest, ImpersonationNeedsTheRightToIt) {
  using Headers = std::vector<std::pair<std::string, std::string>>;
  const Headers as_eve = {{"impersonate-user", "eve"}};
  EXPECT_EQ(send(http::Method::Get, std::string("/api/v1/namespaces"), std::string(),
                 std::string("admin-token"), as_eve)
                .status,
            403);
  const HubAnswer who =
      send(http::Method::Post, std::string("/apis/authentication.k8s.io/v1/selfsubjectreviews"),
           std::string("{}"), std::string("eve-token"), Headers{{"impersonate-user", "admin"}});
  EXPECT_EQ(who.status, 403);
}

TEST_F(ApiServerTest, WritesThatMeetAreBothMade) {
  send(http::Method::Post, kMaps, R"({"metadata":{"name":"a"}})");
  const auto patch = [this](const char* body) {
    http::ServerRequest request{.head = {.method = http::Method::Patch, .target = kMaps + "/a"},
                                .peer = peer_,
                                .body = body};
    request.head.headers.add("content-type", "application/merge-patch+json");
    request.head.headers.add("authorization", "Bearer admin-token");
    server_->on_request(std::move(request), http::Answer(answers_, ++last_));
    return last_;
  };
  const http::StreamId first = patch(R"({"data":{"x":"1"}})");
  const http::StreamId second = patch(R"({"data":{"y":"2"}})");
  EXPECT_EQ(answer(first).status, 200);
  EXPECT_EQ(answer(second).status, 200);
  EXPECT_EQ(get(kMaps + "/a").at("/data"), R"({"x":"1","y":"2"})");
}

TEST_F(ApiServerTest, AWatchHearsOfChangesAndEndsInGoodOrder) {
  const http::StreamId watch = begin(http::Method::Get, kMaps + "?watch=1");
  EXPECT_EQ(answer(watch).status, 200);
  EXPECT_EQ(server_->watches(), 1);
  send(http::Method::Post, kMaps, R"({"metadata":{"name":"a"}})");
  world_.run_for(10ms);
  EXPECT_EQ(answers_->kept.at(watch).resumed, 1);
  EXPECT_TRUE(answers_->read(watch).starts_with(R"({"type":"ADDED")"));
  EXPECT_EQ(get("/readyz").status, 200);
  server_->prepare_to_stop();
  EXPECT_EQ(answers_->kept.at(watch).resumed, 2);
  answers_->read(watch);
  EXPECT_TRUE(answers_->kept.at(watch).ended);
  answers_->kept.erase(watch);
  EXPECT_EQ(server_->watches(), 0);
  EXPECT_EQ(get("/readyz").status, 500);
  EXPECT_EQ(get("/livez").status, 200);
}

TEST_F(ApiServerTest, AWatchEndsWithTheVersionThatItIsOf) {
  const std::string definitions(testing::kDefinitions);
  send(http::Method::Post, definitions, std::string(testing::kFooDefinition));
  const http::StreamId kept = begin(http::Method::Get, "/apis/ex.io/v1/foos?watch=1");
  const http::StreamId lost = begin(http::Method::Get, "/apis/ex.io/v1alpha1/foos?watch=1");
  answer(kept);
  EXPECT_EQ(answer(lost).warnings().size(), 1);
  json::Value definition = get(definitions + "/foos.ex.io").json();
  definition["spec"]["versions"].erase_at(1);
  EXPECT_EQ(send(http::Method::Put, definitions + "/foos.ex.io", json::print(definition)).status,
            200);
  world_.run_for(10ms);
  answers_->read(lost);
  answers_->read(kept);
  EXPECT_TRUE(answers_->kept.at(lost).ended);
  EXPECT_FALSE(answers_->kept.at(kept).ended);
}

TEST_F(ApiServerTest, AWatchEndsAfterItsTime) {
  const http::StreamId watch = begin(http::Method::Get, kMaps + "?watch=1&timeoutSeconds=5");
  answer(watch);
  world_.run_for(4s);
  answers_->read(watch);
  EXPECT_FALSE(answers_->kept.at(watch).ended);
  world_.run_for(3s);
  answers_->read(watch);
  EXPECT_TRUE(answers_->kept.at(watch).ended);
}

TEST_F(ApiServerTest, AWatchFromBeforeWhatIsKnownIsToldSoInItsStream) {
  world_.run_for(6min);
  send(http::Method::Post, kMaps, R"({"metadata":{"name":"a"}})");
  world_.run_for(10ms);
  const HubAnswer expired = get(kMaps + "?watch=1&resourceVersion=0&sendInitialEvents=false" +
                                "&resourceVersionMatch=NotOlderThan");
  EXPECT_EQ(expired.status, 200);
  EXPECT_EQ(expired.body, "");
  world_.run_for(6min);
  for (const char* name : {"b", "c"}) {
    send(http::Method::Post, kMaps, fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    world_.run_for(6min);
  }
  const HubAnswer old = get(kMaps + "?watch=1&resourceVersion=1");
  EXPECT_EQ(old.status, 200);
  EXPECT_EQ(old.at("/type"), "ERROR");
  EXPECT_EQ(old.at("/object/code"), "410");
  EXPECT_EQ(old.at("/object/reason"), "Expired");
  EXPECT_TRUE(old.at("/object/message").starts_with("too old resource version: 1 ("));
}

TEST_F(ApiServerTest, AFullDiskRefusesWritesUntilThereIsRoom) {
  send(http::Method::Post, kMaps, R"({"metadata":{"name":"a"}})");
  const http::StreamId watch = begin(http::Method::Get, kMaps + "?watch=1");
  answer(watch);
  node_.disk().options.capacity = 0;
  for (int i = 0; i < 3; ++i) {
    const HubAnswer refused = send(http::Method::Post, kMaps, R"({"metadata":{"name":"b"}})");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.at("/reason"), "ServiceUnavailable");
    EXPECT_TRUE(refused.at("/message").starts_with("the hub's disk is full")) << refused.body;
    EXPECT_EQ(refused.headers.find("retry-after"), "5");
  }
  EXPECT_EQ(send(http::Method::Delete, kMaps + "/a").status, 503);
  EXPECT_EQ(get(kMaps + "/a").status, 200);
  EXPECT_EQ(get(kMaps + "/b").status, 404);
  EXPECT_EQ(get("/readyz").status, 200);
  world_.run_for(1min);  // What tidies up meets the full disk, too.

  node_.disk().options.capacity = sim::DiskOptions().capacity;
  EXPECT_EQ(send(http::Method::Post, kMaps, R"({"metadata":{"name":"b"}})").status, 201);
  world_.run_for(10ms);
  EXPECT_TRUE(answers_->read(watch).contains(R"("name":"b")"));
}

TEST_F(ApiServerTest, ADiskThatHangsDoesNotMakeClientsHang) {
  const std::size_t before = audit_.size();
  node_.disk().options.sync_latency = 50s;
  send(http::Method::Post, kMaps, R"({"metadata":{"name":"z"}})");  // The next ones wait for it.
  const http::StreamId brief =
      begin(http::Method::Post, kMaps + "?timeout=2s", R"({"metadata":{"name":"a"}})");
  const http::StreamId usual = begin(http::Method::Post, kMaps, R"({"metadata":{"name":"b"}})");
  world_.run_for(3s);
  const HubAnswer refused = answer(brief);
  EXPECT_EQ(refused.status, 504);
  EXPECT_EQ(refused.at("/reason"), "Timeout");
  EXPECT_EQ(get(kMaps).status, 200);
  world_.run_for(30s);
  EXPECT_FALSE(answers_->kept.contains(usual));
  world_.run_for(2s);
  EXPECT_EQ(answer(usual).status, 504);
  node_.disk().options.sync_latency = {};
  world_.run_for(2min);
  // What was on its way to the disk is there, and nobody is answered twice.
  EXPECT_EQ(get(kMaps + "/a").status, 200);
  EXPECT_EQ(get(kMaps + "/b").status, 200);
  EXPECT_EQ(audit_.size(), before + 6);
}

TEST_F(ApiServerTest, HeadersOfAProxySayNothingAboutTheUser) {
  const std::vector<std::pair<std::string, std::string>> forged = {
      {"x-remote-user", "admin"}, {"x-remote-group", "system:masters"}};
  for (const auto& [token, status] : {std::pair{"", 403}, std::pair{"eve-token", 403}}) {
    EXPECT_EQ(send(http::Method::Get, std::string("/api/v1/namespaces"), std::string(),
                   std::string(token), forged)
                  .status,
              status);
  }
}

TEST_F(ApiServerTest, PathsThatAreNoneAreRefused) {
  EXPECT_EQ(get("/api/v1/namespaces/..").status, 400);
  EXPECT_EQ(get("/nothing").status, 404);
  EXPECT_EQ(get("/version").at("/major"), "1");
}

TEST_F(ApiServerTest, EveryAnswerLeavesALine) {
  const std::size_t before = audit_.size();
  get(kMaps + "/none");
  get(kMaps, "eve-token");
  ASSERT_EQ(audit_.size(), before + 2);
  EXPECT_TRUE(audit_[before].contains("\"code\":404")) << audit_[before];
  EXPECT_TRUE(audit_[before].contains("10.0.0.9"));
  EXPECT_TRUE(audit_[before + 1].contains("\"forbid\"")) << audit_[before + 1];
}

TEST_F(ApiServerTest, BodiesThatAreTooLargeAreRefusedAsAStatus) {
  server_->on_refused({.head = {}, .peer = peer_},
                      {.code = Code::RequestEntityTooLarge, .message = "limit is 3145728"},
                      http::Answer(answers_, ++last_));
  const HubAnswer refused = answer(last_);
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.at("/reason"), "RequestEntityTooLarge");
}

TEST_F(ApiServerTest, RequestsFromInsideNeedNoConnection) {
  std::optional<int> status;
  ApiRequest request;
  request.info = read_request_info(http::Method::Get, "/api/v1/namespaces/team").value();
  request.user = testing::admin();
  server_->perform(std::move(request), [&status](Response response) { status = response.status; });
  world_.run_for(10ms);
  EXPECT_EQ(status, 200);
}

class BusyApiServer : public ApiServerTest {
 protected:
  BusyApiServer() : ApiServerTest({.requests_per_user = 2, .watches_per_user = 2}) {}
};

TEST_F(BusyApiServer, NobodyTakesEverything) {
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(answer(begin(http::Method::Get, kMaps + "?watch=1")).status, 200);
  const HubAnswer refused = get(kMaps + "?watch=1");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.find("retry-after"), "1");
  answers_->kept.erase(answers_->kept.begin()->first);
  answers_->kept.clear();
  EXPECT_EQ(get(kMaps + "?watch=1").status, 200);
}

TEST_F(BusyApiServer, AUserHasOnlySoManyRequestsAtOnce) {
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  send(
      http::Method::Post, rbac + "clusterroles",
      R"({"metadata":{"name":"r"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]})");
  send(http::Method::Post, rbac + "clusterrolebindings",
       R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
           "kind":"ClusterRole","name":"r"},"subjects":[{"kind":"User","name":"eve",
           "apiGroup":"rbac.authorization.k8s.io"}]})");
  std::vector<http::StreamId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(begin(http::Method::Post, kMaps,
                        fmt::format(R"({{"metadata":{{"name":"m{}"}}}})", i), "eve-token"));
  }
  const http::StreamId admins = begin(http::Method::Post, kMaps, R"({"metadata":{"name":"n"}})");
  EXPECT_EQ(answer(ids[2]).status, 429);
  EXPECT_EQ(answer(ids[0]).status, 201);
  EXPECT_EQ(answer(ids[1]).status, 201);
  EXPECT_EQ(get(kMaps, "eve-token").status, 200);
  // Others are not held up, and administrators have no limit.
  EXPECT_EQ(answer(admins).status, 201);
  ids.clear();
  for (int i = 0; i < 5; ++i) {
    ids.push_back(
        begin(http::Method::Post, kMaps, fmt::format(R"({{"metadata":{{"name":"a{}"}}}})", i)));
  }
  for (const http::StreamId id : ids) EXPECT_EQ(answer(id).status, 201);
}

}  // namespace
}  // namespace berth::apiserver
