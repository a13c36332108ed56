#include "hosting/work.h"

#include <gtest/gtest.h>

#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"
#include "json/print.h"

namespace berth::hosting {
namespace {

using testing::parsed;
using testing::request_object;

struct Made {
  explicit Made(json::Value asked)
      : object(std::move(asked)),
        request(read_request(object)),
        payload(read_payload(object).value()) {}

  WorkContent content() const { return {.request = request, .payload = payload}; }

  json::Value object;
  HostedClusterRequest request;
  Payload payload;
};

Made with_secret() {
  json::Value object = request_object("a");
  object["spec"]["payload"]["secretRefs"] = parsed(R"([{"name":"pull"}])");
  object["spec"]["payload"]["nodePools"] = parsed(R"([{"metadata":{"name":"p"}}])");
  return Made(object);
}

const Secrets kSecrets = {{"pull", parsed(R"({"metadata":{"name":"pull","namespace":"tenant",
    "uid":"s","ownerReferences":[{}]},"type":"Opaque","data":{"k":"c2VjcmV0"}})")}};

TEST(Work, HasANameThatOnlyItsRequestGives) {
  EXPECT_EQ(work_name("uid-a").size(), 14U);
  EXPECT_TRUE(work_name("uid-a").starts_with("hcr-"));
  EXPECT_NE(work_name("uid-a"), work_name("uid-b"));
}

TEST(Work, BeginsAsAShellThatHasOnlyTheNamespace) {
  const Made made(request_object("a"));
  const json::Value shell = make_shell(made.content(), "h");
  const WorkState state = read_work(shell);
  EXPECT_FALSE(state.is_filled);
  EXPECT_EQ(*shell.find_path({"metadata", "namespace"}), "h");
  EXPECT_EQ(shell.find_path({"spec", "workload", "manifests"})->size(), 1U);
}

TEST(Work, IsFilledWithAllThatTheClusterNeeds) {
  const Made made = with_secret();
  json::Value shell = make_shell(made.content(), "h");
  shell["metadata"]["labels"]["theirs"] = "kept";
  const json::Value work = fill_work(shell, made.content(), kSecrets);
  std::string kinds;
  for (const json::Value& manifest :
       work.find_path({"spec", "workload", "manifests"})->elements()) {
    kinds += manifest.find("kind")->string_or_empty();
    kinds += " ";
  }
  EXPECT_EQ(kinds, "Namespace Secret HostedCluster NodePool ");
  const json::Value& secret = work.find_path({"spec", "workload", "manifests"})->elements()[1];
  EXPECT_EQ(secret, parsed(R"({"apiVersion":"v1","kind":"Secret","type":"Opaque",
      "metadata":{"name":"pull","namespace":"clusters"},"data":{"k":"c2VjcmV0"}})"));
  EXPECT_EQ(*work.find_path({"metadata", "labels", "theirs"}), "kept");
  EXPECT_EQ(*work.find_path({"spec", "deleteOption", "propagationPolicy"}), "SelectivelyOrphan");
  const WorkState state = read_work(work);
  EXPECT_TRUE(state.is_filled);
  EXPECT_EQ(state.identity, made.payload.identity);
  EXPECT_EQ(state.content, content_hash(made.content()));
  EXPECT_EQ(state.request_generation, 1);
  EXPECT_TRUE(read_work(as_orphaning(work)).is_orphaning);
}

TEST(Work, IsKnownByWhatIsInItButNotByItsSecrets) {
  const Made first = with_secret();
  Made second = with_secret();
  EXPECT_EQ(content_hash(first.content()), content_hash(second.content()));
  second.payload.hosted_cluster["spec"]["release"] = "newer";
  EXPECT_NE(content_hash(first.content()), content_hash(second.content()));
}

json::Value reported(std::string_view applied, int generation, std::string_view available) {
  const Made made(request_object("a"));
  json::Value work = fill_work(make_shell(made.content(), "h"), made.content(), {});
  work["metadata"]["generation"] = 2;
  work["metadata"]["finalizers"] =
      parsed(R"(["cluster.open-cluster-management.io/manifest-work-cleanup"])");
  work["status"] = parsed(fmt::format(R"({{"conditions":[{{"type":"Applied","status":"{}",
      "observedGeneration":{},"message":"why"}}],"resourceStatus":{{"manifests":[
      {{"resourceMeta":{{"resource":"namespaces"}}}},
      {{"resourceMeta":{{"resource":"hostedclusters"}},"statusFeedback":{{"values":[
        {{"name":"Available-status","fieldValue":{{"type":"String","string":"{}"}}}},
        {{"name":"Available-message","fieldValue":{{"type":"String","string":"starting"}}}}
      ]}}}}]}}}})",
                                      applied, generation, available));
  return work;
}

TEST(Work, SaysHowFarTheHostIs) {
  const WorkState there = read_work(reported("True", 2, "False"));
  EXPECT_TRUE(there.is_applied);
  EXPECT_TRUE(there.has_agent_finalizer);
  EXPECT_FALSE(there.is_available);
  EXPECT_EQ(there.message, "starting");
  EXPECT_TRUE(read_work(reported("True", 2, "True")).is_available);
}

TEST(Work, IsNotAppliedByAReportAboutAnOlderOne) {
  EXPECT_FALSE(read_work(reported("True", 1, "False")).is_applied);
  EXPECT_EQ(read_work(reported("False", 1, "False")).apply_problem, "");
  EXPECT_EQ(read_work(reported("False", 2, "False")).apply_problem, "why");
}

}  // namespace
}  // namespace berth::hosting
