#include "nodes/extender_service.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "json/parse.h"
#include "json/print.h"
#include "nodes/testing/cluster_builder.h"
#include "nodes/testing/model_cluster_service.h"
#include "sim/world.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;
using testing::ModelCluster;
using testing::parsed;

constexpr std::uint16_t kPort = 8888;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        service(env, api),
        operations({env.clock, env.loop, env.network, env.metrics}) {
    operations.add_route("/", service.route());
    EXPECT_TRUE(
        operations.listen({.address = {.host = "extender", .port = kPort}}, {control::Topic::Added})
            .ok());
  }

  client::Api api;
  ExtenderService service;
  control::Operations operations;
};

// Asks as kube-scheduler does.
struct Asker {
  explicit Asker(env::Env& its_env)
      : env(its_env), api(its_env, config(), {.rate = {.per_second = 0}}) {}

  static client::ClientConfig config() {
    client::ClientConfig config = client::testing::model_config("http");
    config.server = http::parse_url("http://extender:8888").value();
    return config;
  }

  env::Env env;
  client::Api api;
};

class ExtenderInACluster : public ::testing::Test {
 protected:
  ExtenderInACluster() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    put(nodes_resource(), testing::node("n1", R"({"cpu":"4"})"));
    put(nodes_resource(), testing::node("n2", R"({"cpu":"4"})"));
    Value reservation = parsed(R"({"apiVersion":"reserve.berth.dev/v1alpha1",
        "kind":"PodReservation","metadata":{"name":"r","namespace":"ns"},
        "spec":{"nodeName":"n1","resources":{"cpu":"3"},"owner":{"uid":"rs"}}})");
    put(pod_reservations_resource(), reservation);
    world_.add_node("extender").start([](std::span<env::Env> loops) {
      return std::make_shared<Program>(loops[0]);
    });
    world_.add_node("asker").start([this](std::span<env::Env> loops) {
      auto asker = std::make_shared<Asker>(loops[0]);
      asker_ = asker;
      return asker;
    });
    world_.run_for(2s);
  }

  void put(const client::Gvr& resource, Value object) {
    object["metadata"].erase("uid");
    cluster_.hub.put(resource, std::move(object));
  }

  Value put_pod(const std::string& name, std::string_view extra) {
    put(pods_resource(), testing::pod(name, extra));
    return *cluster_.find_pod("ns/" + name);
  }

  // The document, or "503: ..." as a string.
  Value ask(const std::string& verb, const Value& question) {
    std::optional<Value> answer;
    asker_.lock()->api.call(client::RestRequest{.method = http::Method::Post,
                                                .target = "/" + verb,
                                                .content_type = std::string(client::kJson),
                                                .body = json::print(question)},
                            {}, [&answer](Result<Value> document) {
                              answer = document.ok() ? *std::move(document)
                                                     : Value(document.error().message);
                            });
    EXPECT_TRUE(world_.run_until([&answer] { return answer.has_value(); }, 1min));
    return answer.value_or(Value());
  }

  static Value filter_of(const Value& pod) {
    return Value::object({{"Pod", pod}, {"NodeNames", parsed(R"(["n1","n2"])")}});
  }

  static Value bind_of(const Value& pod, std::string_view node) {
    const api::Metadata metadata(pod);
    return Value::object({{"PodName", metadata.name()},
                          {"PodNamespace", metadata.namespace_name()},
                          {"PodUID", metadata.uid()},
                          {"Node", node}});
  }

  // What the condition says that makes kube-scheduler ask again; "" if there is none.
  std::string released_text(const std::string& pod) {
    const Value object = *cluster_.find_pod(pod);
    for (const Value& one : api::elements_field(api::field(object, "status"), "conditions")) {
      if (api::text_field(one, "type") == kRoomReleased) return api::text_field(one, "message");
    }
    return "";
  }

  static std::string error_of(const Value& result) { return api::text_field(result, "Error"); }

  ModelCluster cluster_;
  sim::World world_;
  std::weak_ptr<Asker> asker_;
};

TEST_F(ExtenderInACluster, FiltersByWhatIsHeld) {
  const Value other = put_pod("other", R"({"cpu":"2","owner":"else"})");
  EXPECT_EQ(json::print(api::field(ask("filter", filter_of(other)), "NodeNames")), R"(["n2"])");
  const Value own = put_pod("own", R"({"cpu":"2","owner":"rs"})");
  EXPECT_EQ(json::print(api::field(ask("filter", filter_of(own)), "NodeNames")), R"(["n1","n2"])");
  EXPECT_EQ(json::print(ask("prioritize", filter_of(own))),
            R"([{"Host":"n1","Score":10},{"Host":"n2","Score":5}])");
}

TEST_F(ExtenderInACluster, BindsWithTheReservationAndGivesItToOnlyOne) {
  const Value first = put_pod("first", R"({"cpu":"3","owner":"rs"})");
  const Value second = put_pod("second", R"({"cpu":"3","owner":"rs"})");
  ask("filter", filter_of(first));
  ask("filter", filter_of(second));
  EXPECT_EQ(error_of(ask("bind", bind_of(first, "n1"))), "");
  EXPECT_EQ(cluster_.node_of("ns/first"), "n1");
  EXPECT_EQ(api::Metadata(*cluster_.find_pod("ns/first"))
                .annotations()
                .find(kClaimAnnotation)
                .value_or(""),
            api::Metadata(*cluster_.hub.find(pod_reservations_resource(), "ns/r")).uid());
  // It is not there for the second any more: that one needs another place.
  EXPECT_EQ(cluster_.node_of("ns/second"), "");
  EXPECT_EQ(error_of(ask("bind", bind_of(second, "n2"))), "");
  EXPECT_EQ(cluster_.node_of("ns/second"), "n2");
}

TEST_F(ExtenderInACluster, RefusesToBindWhereSomebodyElsesRoomIs) {
  const Value other = put_pod("other", R"({"cpu":"2","owner":"else"})");
  ask("filter", filter_of(other));
  EXPECT_THAT(error_of(ask("bind", bind_of(other, "n1"))), HasSubstr("PodReservation ns/r"));
  EXPECT_EQ(cluster_.node_of("ns/other"), "");
}

TEST_F(ExtenderInACluster, BindsPodsThatItWasNotAskedAbout) {
  const Value own = put_pod("own", R"({"cpu":"2","owner":"rs"})");
  EXPECT_EQ(error_of(ask("bind", bind_of(own, "n1"))), "");
  EXPECT_EQ(cluster_.node_of("ns/own"), "n1");
}

TEST_F(ExtenderInACluster, SaysWhatTheServerHasAgainstABinding) {
  const Value own = put_pod("own", R"({"cpu":"2","owner":"rs"})");
  ask("filter", filter_of(own));
  cluster_.mishap = ModelCluster::Mishap::Forbidden;
  cluster_.mishaps = 1;
  EXPECT_EQ(error_of(ask("bind", bind_of(own, "n1"))), "not you");
  EXPECT_EQ(error_of(ask("bind", bind_of(own, "n1"))), "");
}

TEST_F(ExtenderInACluster, TellsARefusedPodWhenTheReservationGoesSoThatItIsAskedAgain) {
  const Value other = put_pod("other", R"({"cpu":"4","owner":"else"})");
  EXPECT_EQ(json::print(api::field(ask("filter", filter_of(other)), "NodeNames")), R"(["n2"])");
  // As long as the room is held there is nothing to tell, whatever else happens.
  put(nodes_resource(), testing::node("n3", R"({"cpu":"4"})"));
  world_.run_for(1min);
  EXPECT_EQ(released_text("ns/other"), "");
  cluster_.hub.erase(pod_reservations_resource(), "ns/r");
  EXPECT_TRUE(world_.run_until([this] { return !released_text("ns/other").empty(); }, 10s));
  EXPECT_THAT(released_text("ns/other"), HasSubstr("n1 is not kept from this pod any more"));
  // Once, if it is not refused again.
  const std::string told = released_text("ns/other");
  put(nodes_resource(), testing::node("n4", R"({"cpu":"4"})"));
  world_.run_for(1min);
  EXPECT_EQ(released_text("ns/other"), told);
}

TEST_F(ExtenderInACluster, TellsARefusedPodWhenTheReservationExpires) {
  Value reservation = *cluster_.hub.find(pod_reservations_resource(), "ns/r");
  reservation["spec"]["expireTime"] = format_seconds(asker_.lock()->env.clock.now() + 30s);
  cluster_.hub.put(pod_reservations_resource(), reservation);
  const Value other = put_pod("other", R"({"cpu":"4","owner":"else"})");
  ask("filter", filter_of(other));
  world_.run_for(20s);
  EXPECT_EQ(released_text("ns/other"), "");
  EXPECT_TRUE(world_.run_until([this] { return !released_text("ns/other").empty(); }, 30s));
}

TEST_F(ExtenderInACluster, TellsNothingToPodsThatAreBound) {
  const Value other = put_pod("other", R"({"cpu":"4","owner":"else"})");
  ask("filter", filter_of(other));
  EXPECT_EQ(error_of(ask("bind", bind_of(other, "n2"))), "");
  world_.run_for(1s);
  cluster_.hub.erase(pod_reservations_resource(), "ns/r");
  world_.run_for(1min);
  EXPECT_EQ(released_text("ns/other"), "");
}

TEST_F(ExtenderInACluster, RefusesNonsense) {
  EXPECT_THAT(std::string(ask("filters", parsed("{}")).string_or_empty()),
              HasSubstr("there are /filter"));
  EXPECT_THAT(std::string(ask("bind", parsed("{}")).string_or_empty()), HasSubstr("PodName"));
}

}  // namespace
}  // namespace berth::nodes
