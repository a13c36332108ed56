#include "hosting/request_step.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "hosting/decide.h"
#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::kNow;
using testing::parsed;
using testing::request_object;
using Kind = Step::Kind;

// One request and what surrounds it; each test changes what it is about.
class Stage {
 public:
  explicit Stage(std::string_view spec = "") : object(request_object("a", spec)) {}

  Step step() {
    request = read_request(object);
    RequestView view{.object = object,
                     .request = request,
                     .claims = claims,
                     .work = work.is_null() ? nullptr : &work,
                     .host_is_available = host_is_available,
                     .secrets = has_read_secrets ? &secrets : nullptr,
                     .is_gone = is_gone,
                     .refusal = refusal,
                     .rival = rival,
                     .rival_with_host = [this] { return rival; },
                     .now = now};
    for (const Value& stray : strays) view.strays.push_back(&stray);
    return next_step(view);
  }

  // Does what the step says, as a server would.
  Step run() {
    Step next = step();
    if (next.kind == Kind::WriteRequest) object = *next.after;
    if (next.kind == Kind::CreateWork) {
      work = *next.after;
      work["metadata"]["uid"] = "work-uid";
      work["metadata"]["generation"] = 1;
    }
    if (next.kind == Kind::WriteWork) {
      work = *next.after;
      work["metadata"]["generation"] = 2;
    }
    return next;
  }

  void claim(const std::string& host) {
    Claim made = make_claim(read_request(object), kNow);
    claims.push_back({.host = host, .claim = std::move(made)});
  }

  // Up to a filled work on host h.
  void deliver() {
    claim("h");
    for (int i = 0; i < 4; ++i) run();
    ASSERT_TRUE(read_work(work).is_filled);
  }

  void touch_by_agent() {
    work["metadata"]["finalizers"] =
        parsed(R"(["cluster.open-cluster-management.io/manifest-work-cleanup"])");
  }

  void report(std::string_view available) {
    touch_by_agent();
    work["status"] = parsed(fmt::format(R"({{"conditions":[{{"type":"Applied","status":"True",
        "observedGeneration":2}}],"resourceStatus":{{"manifests":[{{"resourceMeta":
        {{"resource":"hostedclusters"}},"statusFeedback":{{"values":[{{"name":"Available-status",
        "fieldValue":{{"type":"String","string":"{}"}}}}]}}}}]}}}})",
                                        available));
  }

  void begin_deletion() { object["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z"; }

  std::string status(std::string_view field) const {
    const Value* value = object.find_path({"status", field});
    return value ? std::string(value->string_or_empty()) : "";
  }

  std::string reason(std::string_view type) const {
    const Value* condition = api::find_condition(*object.find_path({"status", "conditions"}), type);
    return condition ? api::text_field(*condition, "reason") : "";
  }

  Value object;
  HostedClusterRequest request;
  std::vector<HeldClaim> claims;
  Value work;
  std::vector<Value> strays;
  bool host_is_available = true;
  bool has_read_secrets = false;
  Secrets secrets;
  bool is_gone = false;
  std::string rival;
  std::string refusal;
  Time now = kNow;
};

TEST(RequestStep, GoesFromAClaimToReady) {
  Stage stage;
  stage.object["metadata"].erase("finalizers");
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_TRUE(read_request(stage.object).has_finalizer);
  EXPECT_EQ(stage.run().kind, Kind::Wait) << "for a claim";

  stage.claim("h");
  const Step adopted = stage.run();
  EXPECT_EQ(adopted.event, "Assigned");
  EXPECT_EQ(stage.status("hostingCluster"), "h");
  EXPECT_EQ(stage.status("phase"), "Reserved");

  EXPECT_EQ(stage.run().kind, Kind::CreateWork);
  EXPECT_FALSE(read_work(stage.work).is_filled);
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest) << "the request names the shell";
  EXPECT_EQ(stage.status("workUID"), "work-uid");
  EXPECT_EQ(stage.run().kind, Kind::WriteWork);
  EXPECT_TRUE(read_work(stage.work).is_filled);
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Delivering");
  EXPECT_EQ(stage.run().kind, Kind::Wait) << "for the agent";

  stage.report("False");
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Provisioning");
  stage.report("True");
  EXPECT_EQ(stage.run().event, "Ready");
  EXPECT_EQ(stage.status("phase"), "Ready");
  EXPECT_EQ(stage.run().kind, Kind::Wait);
}

TEST(RequestStep, DoesNotFillAWorkThatTheRequestHasNotNamed) {
  Stage stage;
  stage.deliver();
  const Value filled = stage.work;
  stage.work = Value();
  EXPECT_EQ(stage.run().kind, Kind::CreateWork) << "somebody deleted it: on the same host";
  stage.work["metadata"]["uid"] = "another";
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_EQ(stage.status("workUID"), "another");
  EXPECT_EQ(stage.run().kind, Kind::WriteWork);
}

TEST(RequestStep, DoesNothingOnAHostWhoseLedgerHasNoClaim) {
  Stage stage;
  stage.claim("h");
  stage.run();
  stage.claims.clear();
  EXPECT_EQ(stage.run().kind, Kind::Wait);
}

TEST(RequestStep, TakesTheOldestOfTwoClaims) {
  Stage stage;
  stage.claim("young");
  stage.claim("zold");
  stage.claims[1].claim.since = kNow - 1min;
  stage.run();
  EXPECT_EQ(stage.status("hostingCluster"), "zold");
}

TEST(RequestStep, SaysWhyThereIsNoHost) {
  Stage stage;
  stage.refusal = "0 of 2 clusters can host it: ...";
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Pending");
  EXPECT_EQ(stage.reason("Scheduled"), "Unschedulable");
  EXPECT_EQ(stage.status("message"), stage.refusal);
  EXPECT_EQ(stage.run().kind, Kind::Wait);
}

TEST(RequestStep, GivesUpAtTheDeadlineAndGoesOnWhenItIsRaised) {
  Stage stage(R"("policy":{"scheduleDeadline":"30m"})");
  EXPECT_EQ(stage.run().recheck, kNow + 30min);
  stage.now = kNow + 30min;
  EXPECT_FALSE(wants_host(read_request(stage.object), stage.now));
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Failed");
  EXPECT_EQ(stage.reason("Scheduled"), "DeadlineExceeded");
  EXPECT_EQ(stage.run().kind, Kind::Wait);
  stage.object["spec"]["policy"]["scheduleDeadline"] = "2h";
  EXPECT_TRUE(wants_host(read_request(stage.object), stage.now));
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Pending");
}

TEST(RequestStep, SaysWhatIsWrongWithTheRequest) {
  Stage stage(R"("size":{"cpu":-1})");
  stage.run();
  EXPECT_EQ(stage.reason("Scheduled"), "InvalidRequest");
  EXPECT_TRUE(stage.status("message").starts_with("spec.size.cpu is -1"));
  EXPECT_FALSE(wants_host(read_request(stage.object), kNow));
}

TEST(RequestStep, WaitsForSecretsAndNamesTheMissing) {
  Stage stage;
  stage.object["spec"]["payload"]["secretRefs"] = parsed(R"([{"name":"pull"},{"name":"ssh"}])");
  stage.claim("h");
  for (int i = 0; i < 3; ++i) stage.run();
  EXPECT_EQ(stage.run().kind, Kind::ReadSecrets);
  stage.has_read_secrets = true;
  stage.secrets.emplace("ssh", parsed(R"({"metadata":{"name":"ssh"}})"));
  stage.run();
  EXPECT_EQ(stage.reason("Delivered"), "SecretMissing");
  EXPECT_EQ(stage.status("message"), "there is no Secret pull in namespace tenant: create it");
  EXPECT_EQ(stage.run().recheck, kNow + 10s);
  stage.secrets.emplace("pull", parsed(R"({"metadata":{"name":"pull"}})"));
  EXPECT_EQ(stage.run().kind, Kind::WriteWork);
}

TEST(RequestStep, GetsNoHostWhileAnotherHasItsInfraId) {
  Stage stage;
  stage.rival = "other/first";
  stage.claim("h");
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_EQ(stage.status("hostingCluster"), "") << "not even if there is a claim";
  EXPECT_EQ(stage.reason("Scheduled"), "DuplicateInfraID");
  EXPECT_EQ(stage.status("message"),
            "infraID a-x is that of HostedClusterRequest other/first, and there must not be two "
            "hosted clusters of one infraID: give this one another infraID, or delete one of the "
            "two");
  EXPECT_EQ(stage.run().kind, Kind::Wait) << "it is said once";
  stage.rival = "";
  stage.run();
  EXPECT_EQ(stage.status("hostingCluster"), "h");
  EXPECT_EQ(stage.status("infraID"), "a-x");
}

TEST(RequestStep, GivesItsHostBackIfAnotherWithAHostHasItsInfraId) {
  Stage stage;
  stage.claim("h");
  for (int i = 0; i < 3; ++i) stage.run();  // Up to an empty work that the request names.
  stage.rival = "other/first";
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_EQ(stage.reason("Reassigning"), "DuplicateInfraID");
  EXPECT_EQ(stage.run().kind, Kind::DeleteWork);
  stage.work = Value();
  stage.is_gone = true;
  stage.run();
  EXPECT_EQ(stage.status("hostingCluster"), "");
  EXPECT_EQ(stage.status("infraID"), "");
  stage.run();
  EXPECT_EQ(stage.reason("Scheduled"), "DuplicateInfraID");
}

TEST(RequestStep, KeepsWhatIsOnTheHostWhoeverWantsItsInfraId) {
  Stage stage;
  stage.deliver();
  stage.rival = "other/second";
  stage.report("True");
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Ready");
}

TEST(RequestStep, StandsForOneInfraIdFromTheMomentItHasAHost) {
  Stage stage;
  stage.claim("h");
  for (int i = 0; i < 3; ++i) stage.run();
  stage.object["spec"]["payload"]["hostedCluster"]["spec"]["infraID"] = "other";
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_EQ(stage.reason("Delivered"), "IdentityChanged");
  EXPECT_TRUE(stage.status("message").contains("infraID a-x")) << stage.status("message");
  EXPECT_FALSE(read_work(stage.work).is_filled);
}

TEST(RequestStep, LeavesAWorkAloneThatWasMadeOfANewerRequest) {
  Stage stage;
  stage.deliver();
  const Value old = stage.object;
  stage.object["metadata"]["generation"] = 2;
  stage.object["spec"]["payload"]["hostedCluster"]["spec"]["release"] = "newer";
  ASSERT_EQ(stage.run().kind, Kind::WriteWork);
  stage.object = old;
  EXPECT_EQ(stage.run().kind, Kind::Wait) << "who sees this is behind";
}

TEST(RequestStep, CarriesAnEditToTheSameHostButNeverAnotherIdentity) {
  Stage stage;
  stage.deliver();
  stage.object["spec"]["payload"]["hostedCluster"]["spec"]["release"] = "newer";
  const Step updated = stage.run();
  EXPECT_EQ(updated.kind, Kind::WriteWork);
  EXPECT_EQ(updated.event, "Updated");
  stage.object["spec"]["payload"]["hostedCluster"]["spec"]["infraID"] = "other";
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_EQ(stage.reason("Delivered"), "IdentityChanged");
  EXPECT_EQ(stage.run().kind, Kind::Wait);
  stage.object["spec"]["payload"]["hostedCluster"]["spec"].erase("infraID");
  stage.run();
  EXPECT_EQ(stage.reason("Delivered"), "InvalidRequest");
}

TEST(RequestStep, LeavesAWorkOfSomebodyElseAlone) {
  Stage stage;
  stage.claim("h");
  stage.run();
  stage.work = parsed(R"({"metadata":{"name":"x","uid":"u"}})");
  stage.run();
  EXPECT_EQ(stage.reason("Delivered"), "NameTaken");
  EXPECT_EQ(stage.run().kind, Kind::Wait);
}

TEST(RequestStep, RemovesShellsThatAreLeftElsewhere) {
  Stage stage;
  stage.deliver();
  stage.strays.push_back(parsed(R"({"metadata":{"name":"x","namespace":"other"},"spec":{}})"));
  EXPECT_EQ(stage.step().kind, Kind::DeleteWork);
  stage.strays[0] = stage.work;
  EXPECT_NE(stage.step().kind, Kind::DeleteWork) << "a filled one may be alive";
}

// --- Another host --------------------------------------------------------------------------------

TEST(Reassigning, NeverHappensByItself) {
  Stage stage;
  stage.deliver();
  stage.host_is_available = false;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(stage.run().kind, Kind::DeleteWork);
    EXPECT_EQ(stage.status("hostingCluster"), "h");
  }
}

TEST(Reassigning, HappensBeforeDeliveryIfThatIsProven) {
  Stage stage(R"("policy":{"reassign":"BeforeDelivery"})");
  stage.deliver();
  stage.host_is_available = false;
  EXPECT_EQ(stage.run().event, "Reassigning");
  EXPECT_EQ(stage.run().kind, Kind::DeleteWork);
  stage.work = Value();
  EXPECT_EQ(stage.run().kind, Kind::ProveGone);
  stage.is_gone = true;
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_EQ(stage.status("hostingCluster"), "");
  EXPECT_EQ(stage.run().kind, Kind::Wait) << "its old claim is for an old assignment";
  stage.claims.clear();
  stage.claim("other");
  stage.run();
  EXPECT_EQ(stage.status("hostingCluster"), "other");
  EXPECT_FALSE(read_request(stage.object).is_reassigning);
  EXPECT_EQ(read_request(stage.object).attempts, 2);
}

TEST(Reassigning, StopsWhenTheAgentWasFaster) {
  Stage stage(R"("policy":{"reassign":"BeforeDelivery"})");
  stage.deliver();
  stage.host_is_available = false;
  stage.run();
  stage.touch_by_agent();
  EXPECT_EQ(stage.run().kind, Kind::WriteRequest);
  EXPECT_FALSE(read_request(stage.object).is_reassigning);
  EXPECT_EQ(stage.status("hostingCluster"), "h");
  for (int i = 0; i < 3; ++i) EXPECT_NE(stage.run().kind, Kind::DeleteWork);
}

TEST(Reassigning, LeavesAShellBehindThatAnAgentHolds) {
  Stage stage(R"("policy":{"reassign":"BeforeDelivery"})");
  stage.claim("h");
  stage.run();
  stage.run();
  stage.touch_by_agent();
  stage.host_is_available = false;
  stage.run();
  EXPECT_EQ(stage.run().kind, Kind::DeleteWork) << "there never was more in it than a namespace";
  stage.work["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z";
  stage.run();
  EXPECT_EQ(stage.status("hostingCluster"), "");
}

TEST(Reassigning, OfALostHostNeedsAnOperatorsWord) {
  Stage stage(R"("policy":{"reassign":"OnHostLostManual"})");
  stage.deliver();
  stage.report("True");
  stage.run();
  stage.host_is_available = false;
  stage.run();
  EXPECT_EQ(stage.run().kind, Kind::Wait);
  stage.object["metadata"]["annotations"][kFencedAnnotation] = "true";
  EXPECT_EQ(stage.run().event, "Reassigning");
  EXPECT_EQ(stage.run().kind, Kind::DeleteWork);
  stage.work["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z";
  EXPECT_EQ(stage.run().kind, Kind::WriteWork);
  EXPECT_FALSE(read_work(stage.work).has_agent_finalizer);
}

// --- The end -------------------------------------------------------------------------------------

TEST(Deleting, WaitsForTheProofThatNothingIsLeft) {
  Stage stage;
  stage.deliver();
  stage.report("True");
  stage.begin_deletion();
  EXPECT_EQ(stage.run().kind, Kind::DeleteWork);
  stage.work["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z";
  stage.run();
  EXPECT_EQ(stage.status("phase"), "Deleting");
  EXPECT_EQ(stage.run().kind, Kind::Wait);
  stage.work = Value();
  EXPECT_EQ(stage.run().kind, Kind::ProveGone);
  stage.is_gone = true;
  EXPECT_EQ(stage.run().kind, Kind::Wait) << "until the ledger has given the room back";
  stage.claims.clear();
  stage.run();
  EXPECT_FALSE(read_request(stage.object).has_finalizer);
}

TEST(Deleting, OfWhatNeverHadAHostIsQuick) {
  Stage stage;
  stage.begin_deletion();
  stage.run();
  EXPECT_FALSE(read_request(stage.object).has_finalizer);
}

TEST(Deleting, CanLeaveTheHostedClusterWhereItIs) {
  Stage stage(R"("policy":{"onDelete":"Orphan"})");
  stage.deliver();
  stage.begin_deletion();
  EXPECT_EQ(stage.run().kind, Kind::WriteWork);
  EXPECT_TRUE(read_work(stage.work).is_orphaning);
  EXPECT_EQ(stage.run().kind, Kind::DeleteWork);
}

TEST(Deleting, FromAHostThatCannotBeReachedSaysWhatToDo) {
  Stage stage;
  stage.deliver();
  stage.report("True");
  stage.begin_deletion();
  stage.host_is_available = false;
  stage.run();
  stage.work["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z";
  stage.run();
  EXPECT_EQ(stage.reason("Available"), "HostUnreachable");
  EXPECT_EQ(stage.run().kind, Kind::Wait);
  stage.object["metadata"]["annotations"][kFencedAnnotation] = "true";
  EXPECT_EQ(stage.run().event, "Fenced");
}

}  // namespace
}  // namespace berth::hosting
