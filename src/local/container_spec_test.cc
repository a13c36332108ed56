#include "local/container_spec.h"

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::parsed;

class Containers : public ::testing::Test {
 protected:
  Result<ContainerSpec> spec() const {
    const Value& container = api::elements_field(api::field(pod_, "spec"), "containers")[0];
    return container_spec(pod_, container, [this](SourceKind kind, std::string_view name) {
      const auto& objects = kind == SourceKind::Secret ? secrets_ : maps_;
      const auto found = objects.find(std::string(name));
      return found == objects.end() ? nullptr : &found->second;
    });
  }

  Value pod_ = parsed(R"json({"metadata":{"name":"p","namespace":"ns","uid":"u"},
    "spec":{"nodeName":"n1",
      "volumes":[{"name":"hub","secret":{"secretName":"hub-kubeconfig"}},
                 {"name":"settings","configMap":{"name":"settings",
                    "items":[{"key":"a","path":"dir/a.yaml"}]}},
                 {"name":"scratch","emptyDir":{}}],
      "containers":[{"name":"c","image":"berth",
        "command":["/berth"],"args":["agent","--name=$(CLUSTER)","$$(CLUSTER)","$(NONE)"],
        "env":[{"name":"CLUSTER","value":"one"},{"name":"TWICE","value":"$(CLUSTER)-$(CLUSTER)"},
               {"name":"NODE","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}},
               {"name":"TOKEN","valueFrom":{"secretKeyRef":{"name":"hub-kubeconfig",
                                                            "key":"token"}}}],
        "volumeMounts":[{"name":"hub","mountPath":"/hub"},
                        {"name":"settings","mountPath":"/etc/settings"},
                        {"name":"scratch","mountPath":"/scratch"}]}]}})json");
  std::map<std::string, Value> secrets_ = {
      {"hub-kubeconfig", parsed(R"({"data":{"kubeconfig":"aGVsbG8=","token":"dA=="}})")}};
  std::map<std::string, Value> maps_ = {{"settings", parsed(R"({"data":{"a":"1","b":"2"}})")}};
};

TEST_F(Containers, GetTheirArgumentsVariablesAndFiles) {
  const auto found = spec();
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->command, std::vector<std::string>{"/berth"});
  EXPECT_EQ(found->arguments,
            (std::vector<std::string>{"agent", "--name=one", "$(CLUSTER)", "$(NONE)"}));
  EXPECT_EQ(found->variables,
            (std::map<std::string, std::string>{
                {"CLUSTER", "one"}, {"NODE", "n1"}, {"TOKEN", "t"}, {"TWICE", "one-one"}}));
  EXPECT_EQ(found->mounts, (std::vector<Mount>{{"/hub", {{"kubeconfig", "hello"}, {"token", "t"}}},
                                               {"/etc/settings", {{"dir/a.yaml", "1"}}},
                                               {"/scratch", {}}}));
}

TEST_F(Containers, SayWhatTheyWaitFor) {
  secrets_.clear();
  EXPECT_EQ(spec().error().message, "secret \"hub-kubeconfig\" not found");
}

TEST_F(Containers, DoWithoutWhatIsOptional) {
  secrets_.clear();
  Value& spec_of = pod_["spec"];
  spec_of["volumes"].elements()[0]["secret"]["optional"] = true;
  spec_of["containers"].elements()[0]["env"].elements()[3]["valueFrom"]["secretKeyRef"]
                                                       ["optional"] = true;
  const auto found = spec();
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_FALSE(found->variables.contains("TOKEN"));
}

TEST_F(Containers, CannotPutAFileOutsideOfItsMount) {
  pod_["spec"]["volumes"].elements()[1]["configMap"]["items"].elements()[0]["path"] = "../a";
  EXPECT_FALSE(spec().ok());
}

TEST_F(Containers, RefuseVolumesThatCannotBeHadHere) {
  pod_["spec"]["volumes"].elements()[2] = parsed(R"({"name":"scratch","hostPath":{"path":"/"}})");
  EXPECT_EQ(spec().error().message, "volume \"scratch\" is of a kind that cannot be had here");
}

TEST_F(Containers, NameTheirSourcesOnce) {
  EXPECT_EQ(sources_of(pod_), (std::vector<Source>{{SourceKind::Secret, "hub-kubeconfig"},
                                                   {SourceKind::ConfigMap, "settings"}}));
}

}  // namespace
}  // namespace berth::local
