#include "hosting/hosting_controller.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/metadata.h"
#include "control/testing/model_hub_service.h"
#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"
#include "hosting/undone_writes.h"
#include "sim/world.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using control::testing::ModelHub;
using json::Value;
using testing::cluster_object;
using testing::parsed;
using testing::request_object;

// What `berth controllers` has, without leader election.
struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        recorder(env, api, {.controller = "hosting-controller", .instance = "test"}),
        controller(env, api, informers, recorder, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  HostingController controller;
};

class Hosting : public ::testing::Test {
 protected:
  Hosting() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const ModelHub::Written& write) {
      // Events come when they come, and scores are refreshed.
      const bool is_aside = write.what.contains("events") || write.what.contains("scores");
      if (!is_aside) writes_.push_back(write.what);
    };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          hub_.serve(loops[0], {.first = [this](const client::testing::ModelRequest& request) {
                       return first_ ? first_(request) : std::nullopt;
                     }}));
    });
  }

  void start(const std::string& node = "berth", Duration clock_is_ahead = Duration::zero()) {
    sim::Node& machine = world_.add_node(node, {.clock = {.wall_offset = clock_is_ahead}});
    machine.start([this, node](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0]);
      programs_[node] = program;
      return program;
    });
    settle();
  }

  void settle() {
    const auto is_idle = [this] {
      for (const auto& [node, weak] : programs_) {
        const auto program = weak.lock();
        if (program && !program->controller.is_idle()) return false;
      }
      return true;
    };
    world_.run_for(1s);
    EXPECT_TRUE(world_.run_until(is_idle, 2min));
    world_.run_for(1s);  // Until what was written last has come back.
  }

  void put(HostingResource kind, Value object) { hub_.put(resource_of(kind), std::move(object)); }

  // A host that reports so many hosted clusters, with a live add-on.
  void put_host(const std::string& name, int count = 0, int in_flight_max = 1000) {
    put(HostingResource::Clusters, cluster_object(name));
    put_count(name, count);
    Value add_on = parsed(R"({"status":{"conditions":[{"type":"Available","status":"True"}]}})");
    add_on["metadata"] = Value::object({{"name", kHyperShiftAddOn}, {"namespace", name}});
    put(HostingResource::AddOns, add_on);
    Value ledger = new_ledger(name);
    ledger["spec"]["maxInFlight"] = in_flight_max;
    put(HostingResource::Ledgers, ledger);
  }

  void put_count(const std::string& name, int count) {
    Value score = parsed(fmt::format(
        R"({{"status":{{"scores":[{{"name":"hostedClustersCount","value":{}}}]}}}})", count));
    score["metadata"] = Value::object({{"name", kCountScore}, {"namespace", name}});
    put(HostingResource::Scores, score);
  }

  void put_request(const std::string& name, std::string_view spec = "") {
    Value object = request_object(name, spec);
    for (const char* field : {"finalizers", "uid", "resourceVersion"}) {
      object["metadata"].erase(field);
    }
    put(HostingResource::Requests, object);
  }

  const Value& request(const std::string& name) {
    static const Value kNone;
    const Value* found = hub_.find(resource_of(HostingResource::Requests), "tenant/" + name);
    return found ? *found : kNone;
  }

  std::string status(const std::string& name, std::string_view field) {
    return api::text_field(api::field(request(name), "status"), field);
  }

  std::vector<Claim> claims(const std::string& host) {
    const Value* ledger =
        hub_.find(resource_of(HostingResource::Ledgers), fmt::format("{}/{}", host, kLedgerName));
    return ledger ? read_ledger(*ledger).claims : std::vector<Claim>();
  }

  std::string work_key(const std::string& name) {
    return status(name, "hostingCluster") + "/" + work_name(api::Metadata(request(name)).uid());
  }

  const Value* work(const std::string& name) {
    return hub_.find(resource_of(HostingResource::Works), work_key(name));
  }

  // What the agent of the host says about it.
  void report(const std::string& name, std::string_view available) {
    Value reported = *work(name);
    reported["status"] = parsed(fmt::format(R"({{"conditions":[{{"type":"Applied","status":"True",
        "observedGeneration":{}}}],"resourceStatus":{{"manifests":[{{"resourceMeta":
        {{"resource":"hostedclusters"}},"statusFeedback":{{"values":[{{"name":"Available-status",
        "fieldValue":{{"type":"String","string":"{}"}}}}]}}}}]}}}})",
                                            api::Metadata(reported).generation(), available));
    put(HostingResource::Works, reported);
    settle();
  }

  void begin_deletion(const std::string& name) {
    Value deleting = request(name);
    deleting["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z";
    put(HostingResource::Requests, deleting);
    settle();
  }

  std::map<std::string, int> by_host(int count) {
    std::map<std::string, int> hosts;
    for (int i = 0; i < count; ++i) ++hosts[status(std::to_string(i), "hostingCluster")];
    return hosts;
  }

  ModelHub hub_;
  std::function<std::optional<client::testing::ModelAnswer>(const client::testing::ModelRequest&)>
      first_;
  std::vector<std::string> writes_;
  sim::World world_;
  std::map<std::string, std::weak_ptr<Program>> programs_;
};

using Counts = std::map<std::string, int>;

TEST_F(Hosting, BringsARequestToItsHostAndFollowsIt) {
  put_host("h");
  put_request("r");
  start();
  EXPECT_EQ(status("r", "hostingCluster"), "h");
  EXPECT_EQ(status("r", "phase"), "Delivering");
  ASSERT_NE(work("r"), nullptr);
  EXPECT_TRUE(read_work(*work("r")).is_filled);
  ASSERT_EQ(claims("h").size(), 1U);
  EXPECT_EQ(claims("h")[0].state, ClaimState::Reserved);

  report("r", "False");
  EXPECT_EQ(status("r", "phase"), "Provisioning");
  EXPECT_EQ(claims("h")[0].state, ClaimState::Delivered);
  report("r", "True");
  EXPECT_EQ(status("r", "phase"), "Ready");
  EXPECT_EQ(claims("h")[0].state, ClaimState::Observed);

  begin_deletion("r");
  EXPECT_EQ(work("r"), nullptr);
  EXPECT_TRUE(claims("h").empty());
  EXPECT_TRUE(api::Metadata(request("r")).finalizers().empty());
}

TEST_F(Hosting, SpreadsABurstEvenlyThoughNoReportChanges) {
  for (const char* name : {"a", "b", "c", "d"}) put_host(name);
  for (int i = 0; i < 100; ++i) put_request(std::to_string(i));
  start();
  EXPECT_EQ(by_host(100), (Counts{{"a", 25}, {"b", 25}, {"c", 25}, {"d", 25}}));
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(claims(name).size(), 25U) << name;
}

TEST_F(Hosting, BringsALostClaimBackOnlyIfTheServerStillHasItsRequest) {
  put_host("h");
  put_request("r");
  start();
  ASSERT_EQ(claims("h").size(), 1U);
  Value emptied = *hub_.find(resource_of(HostingResource::Ledgers), "h/hosting");
  emptied["status"]["claims"] = Value::array();
  constexpr std::string_view kName = "hostedclusterrequests/r";
  // As if it were gone, and our caches had not heard of that.
  first_ = [&](const client::testing::ModelRequest& request)
      -> std::optional<client::testing::ModelAnswer> {
    if (request.method != http::Method::Get || !request.path.ends_with(kName)) return std::nullopt;
    return client::testing::ModelAnswer{.status = 404};
  };
  put(HostingResource::Ledgers, emptied);
  settle();
  EXPECT_TRUE(claims("h").empty());
  first_ = nullptr;
  world_.run_for(15s);
  EXPECT_EQ(claims("h").size(), 1U);
}

TEST_F(Hosting, DeliversOneOfTwoRequestsWithTheSameInfraIdAndTheOtherWhenThatIsGone) {
  for (const char* name : {"a", "b"}) put_host(name);
  put_request("first");
  start("one");
  start("two");
  const auto put_twin = [this](const std::string& name) {
    Value object = request_object(name);
    object["metadata"] = Value::object({{"name", name}, {"namespace", "tenant"}});
    object["spec"]["payload"]["hostedCluster"]["spec"]["infraID"] = "first-x";
    put(HostingResource::Requests, object);
  };
  put_twin("second");
  settle();
  EXPECT_EQ(status("second", "hostingCluster"), "");
  EXPECT_TRUE(status("second", "message").contains("HostedClusterRequest tenant/first"))
      << status("second", "message");
  EXPECT_EQ(claims("a").size() + claims("b").size(), 1U);
  begin_deletion("first");
  hub_.erase(resource_of(HostingResource::Requests), "tenant/first");
  settle();
  EXPECT_TRUE(read_work(*work("second")).is_filled) << status("second", "message");

  // Both at once, and two that decide.
  for (const char* name : {"third", "fourth"}) put_request(name);
  put_twin("fifth");
  put_twin("sixth");
  settle();
  EXPECT_EQ(hub_.store(resource_of(HostingResource::Works)).state().size(), 3U);
}

TEST_F(Hosting, MakesALedgerForAHostThatHasNone) {
  put_host("h");
  hub_.erase(resource_of(HostingResource::Ledgers), "h/hosting");
  put_request("r");
  start();
  EXPECT_EQ(claims("h").size(), 1U);
  EXPECT_EQ(status("r", "hostingCluster"), "h");
}

TEST_F(Hosting, GivesNothingToAHostWhoseAgentIsDead) {
  put_host("dead");
  Value add_on = *hub_.find(resource_of(HostingResource::AddOns), "dead/hypershift-addon");
  add_on["status"]["conditions"] = parsed(R"([{"type":"Available","status":"Unknown"}])");
  put(HostingResource::AddOns, add_on);
  put_host("live", 40);
  for (int i = 0; i < 5; ++i) put_request(std::to_string(i));
  start();
  EXPECT_EQ(by_host(5), (Counts{{"live", 5}}));
}

TEST_F(Hosting, TakesAScoreWithoutAnAddOnForAsLongAsItIsYoung) {
  put_host("h");
  hub_.erase(resource_of(HostingResource::AddOns), "h/hypershift-addon");
  put_request("early");
  start();
  EXPECT_EQ(status("early", "hostingCluster"), "") << "nobody knows how old it is";
  Value score = *hub_.find(resource_of(HostingResource::Scores), "h/hosted-clusters-score");
  score["metadata"]["managedFields"] = parsed(R"([{"manager":"somebody","operation":"Update",
      "fieldsV1":{"f:status":{}}}])");
  Value& entry = score["metadata"]["managedFields"].elements()[0];
  entry["time"] = format_seconds(world_.node("berth").clock().wall(world_.now()));
  put(HostingResource::Scores, score);
  settle();
  EXPECT_EQ(status("early", "hostingCluster"), "h");
  world_.run_for(6min);
  put_request("late");
  settle();
  EXPECT_EQ(status("late", "hostingCluster"), "");
  EXPECT_TRUE(status("late", "message").contains("have no fresh report of their load"))
      << status("late", "message");
}

TEST_F(Hosting, SaysWhyARequestWaitsAndGoesOnWhenItCan) {
  put_host("h", 80);
  put_request("r");
  start();
  EXPECT_EQ(status("r", "phase"), "Pending");
  EXPECT_EQ(status("r", "message"),
            "0 of 1 clusters can host it: 1 are at their maximum (Slots: raise maxHostedClusters "
            "in their HostingLedger, or add a hosting cluster)");
  put_count("h", 79);
  settle();
  EXPECT_EQ(status("r", "hostingCluster"), "h");
}

TEST_F(Hosting, KeepsAsManyOnTheirWayAsMayBe) {
  put_host("h", 0, 2);
  for (int i = 0; i < 4; ++i) put_request(std::to_string(i));
  start();
  EXPECT_EQ(by_host(4), (Counts{{"", 2}, {"h", 2}}));
  for (int i = 0; i < 4; ++i) {
    const std::string name = std::to_string(i);
    if (!status(name, "hostingCluster").empty()) report(name, "True");
  }
  EXPECT_EQ(by_host(4), (Counts{{"h", 4}}));
}

TEST_F(Hosting, SeesClustersThatSomebodyMakesByHandInTheMiddle) {
  put_host("a");
  put_host("b");
  start();
  for (int i = 0; i < 10; ++i) put_request(std::to_string(i));
  settle();
  put_count("a", 30);
  for (int i = 10; i < 20; ++i) put_request(std::to_string(i));
  settle();
  EXPECT_EQ(by_host(20), (Counts{{"a", 5}, {"b", 15}}));
}

TEST_F(Hosting, CopiesSecretsAndWaitsForThem) {
  put_host("h");
  Value object = request_object("r");
  object["metadata"] = parsed(R"({"name":"r","namespace":"tenant"})");
  object["spec"]["payload"]["secretRefs"] = parsed(R"([{"name":"pull"}])");
  put(HostingResource::Requests, object);
  start();
  EXPECT_EQ(status("r", "message"), "there is no Secret pull in namespace tenant: create it");
  EXPECT_FALSE(read_work(*work("r")).is_filled);
  hub_.put({"", "v1", "secrets"}, parsed(R"({"metadata":{"name":"pull","namespace":"tenant"},
      "data":{"k":"c2VjcmV0"}})"));
  world_.run_for(15s);
  settle();
  ASSERT_TRUE(read_work(*work("r")).is_filled);
  const Value& copy = work("r")->find_path({"spec", "workload", "manifests"})->elements()[1];
  EXPECT_EQ(*copy.find_path({"data", "k"}), "c2VjcmV0");
}

TEST_F(Hosting, AssignsOnceThoughTwoAreAtWork) {
  for (const char* name : {"a", "b"}) put_host(name);
  start("one");
  start("two");
  for (int i = 0; i < 20; ++i) put_request(std::to_string(i));
  settle();
  EXPECT_EQ(claims("a").size() + claims("b").size(), 20U);
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::to_string(i);
    ASSERT_NE(work(name), nullptr) << name;
    EXPECT_TRUE(read_work(*work(name)).is_filled);
  }
  EXPECT_EQ(hub_.store(resource_of(HostingResource::Works)).state().size(), 20U);
}

// For one of them the report of the host has expired, and that is not all the same to either.
TEST_F(Hosting, TwoThatSeeThingsDifferentlyDoNotUndoEachOtherAllTheTime) {
  put_host("h");
  Value ledger = *hub_.find(resource_of(HostingResource::Ledgers), "h/hosting");
  hub_.erase(resource_of(HostingResource::Scores), "h/hosted-clusters-score");
  ledger["spec"]["maxHostedClusters"] = 0;
  ledger["status"]["observed"] = parsed(R"({"count":0,"items":[],"time":"2027-01-15T08:00:00Z",
      "validUntil":"2027-01-15T09:00:00Z"})");
  put(HostingResource::Ledgers, ledger);
  put_request("r");
  start("one");
  start("two", 2h);
  writes_.clear();
  world_.run_for(1min);
  const auto about = [this](std::string_view kind) {
    return std::ranges::count_if(writes_,
                                 [&](const std::string& write) { return write.contains(kind); });
  };
  const auto rests = 2 * (1min / UndoneWrites::kRest);  // Of both.
  EXPECT_GT(about("hostingledgers"), 2) << "they do not agree";
  EXPECT_LE(about("hostingledgers"), rests + 4);
  EXPECT_GT(about("hostedclusterrequests"), 2);
  EXPECT_LE(about("hostedclusterrequests"), rests + 4);
}

TEST_F(Hosting, ClearsShellsOfRequestsThatAreGoneAndNothingThatIsFilled) {
  put_host("h");
  const auto put_work = [this](const std::string& name, std::string_view manifests) {
    Value work = parsed(fmt::format(R"({{"metadata":{{"name":"{0}","namespace":"h","labels":
        {{"hosting.berth.dev/request-uid":"{0}"}},"creationTimestamp":"2027-01-15T08:00:00Z"}},
        "spec":{{"workload":{{"manifests":[{1}]}}}}}})",
                                    name, manifests));
    put(HostingResource::Works, work);
  };
  const auto is_there = [this](const std::string& name) {
    return hub_.find(resource_of(HostingResource::Works), "h/" + name) != nullptr;
  };
  put_work("shell", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"clusters"}})");
  put_work("filled", R"({"kind":"HostedCluster","metadata":{"name":"web"}})");
  start();
  EXPECT_TRUE(is_there("shell")) << "its request may be about to appear";
  world_.run_for(11min);
  EXPECT_FALSE(is_there("shell"));
  EXPECT_TRUE(is_there("filled"));
}

TEST_F(Hosting, MovesBeforeDeliveryWhenItsHostIsGone) {
  put_host("a");
  put_request("r", R"("policy":{"reassign":"BeforeDelivery"})");
  start();
  ASSERT_EQ(status("r", "hostingCluster"), "a");
  put_host("b");
  Value lost = cluster_object("a");
  lost["status"]["conditions"].elements()[0]["status"] = "Unknown";
  put(HostingResource::Clusters, lost);
  settle();
  EXPECT_EQ(status("r", "hostingCluster"), "b");
  EXPECT_TRUE(claims("a").empty());
  EXPECT_EQ(claims("b").size(), 1U);
  EXPECT_TRUE(read_work(*work("r")).is_filled);
  EXPECT_EQ(hub_.store(resource_of(HostingResource::Works)).state().size(), 1U);
}

TEST_F(Hosting, TellsEverybodyWhereThereIsRoom) {
  put_host("h", 20);
  put_request("r");
  start();
  world_.run_for(5s);
  const Value* score = hub_.find(resource_of(HostingResource::Scores), "h/hosting-capacity");
  ASSERT_NE(score, nullptr);
  const Value& first = score->find_path({"status", "scores"})->elements()[0];
  EXPECT_EQ(api::text_field(first, "name"), "freeSlots");
  EXPECT_EQ(api::integer_field(first, "value"), 200 * (80 - 21) / 80 - 100);
  const Value* ledger = hub_.find(resource_of(HostingResource::Ledgers), "h/hosting");
  EXPECT_EQ(ledger->find_path({"status", "load", "hosted"})->as_int(), 21);
}

TEST_F(Hosting, WritesNothingWhenNothingChanges) {
  put_host("h");
  put_request("r");
  start();
  report("r", "True");
  writes_.clear();
  world_.run_for(5min);
  EXPECT_EQ(writes_, std::vector<std::string>());
}

}  // namespace
}  // namespace berth::hosting
