#include "apiserver/strategies/definitions.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class Definitions : public ::testing::Test {
 protected:
  static std::string condition(const HubAnswer& answer, std::string_view type) {
    const json::Value document = answer.json();
    const json::Value* conditions = document.find_path({"status", "conditions"});
    if (!conditions) return "none";
    for (const json::Value& it : conditions->elements()) {
      if (it.find("type")->string_or_empty() == type) {
        return std::string(it.find("status")->string_or_empty());
      }
    }
    return "absent";
  }

  TestHub hub;
  std::string definitions{testing::kDefinitions};
  std::string foos_name = definitions + "/foos.ex.io";
  std::string foos{testing::kFoos};
};

TEST_F(Definitions, AreServedFromTheirOwnWriteOn) {
  EXPECT_EQ(hub.get(foos).status, 404);
  const HubAnswer made = hub.post(definitions, std::string(testing::kFooDefinition));
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(condition(made, "Established"), "True");
  EXPECT_EQ(condition(made, "NamesAccepted"), "True");
  EXPECT_EQ(made.at("/status/storedVersions"), R"(["v1"])");
  EXPECT_EQ(made.at("/status/acceptedNames/kind"), "Foo");
  EXPECT_EQ(made.at("/metadata/finalizers"), "");
  EXPECT_EQ(made.at("/spec/conversion"), R"({"strategy":"None"})");
  EXPECT_EQ(hub.get(foos).status, 200);
}

TEST_F(Definitions, ThatAreWrongAreRefused) {
  const HubAnswer misnamed = hub.post(
      definitions, R"({"metadata":{"name":"x"},"spec":{"group":"ex.io","scope":"Namespaced",
      "names":{"plural":"foos","kind":"Foo"},"versions":[]}})");
  EXPECT_EQ(misnamed.status, 422);
  EXPECT_EQ(misnamed.at("/details/kind"), "CustomResourceDefinition");
  EXPECT_EQ(hub.get(foos).status, 404);
}

TEST_F(Definitions, NamesThatAreTakenAreNotGivenTwice) {
  hub.post(definitions, std::string(testing::kFooDefinition));
  const HubAnswer other = hub.post(definitions, R"({"metadata":{"name":"foxes.ex.io"},
      "spec":{"group":"ex.io","scope":"Namespaced",
      "names":{"plural":"foxes","singular":"foo","kind":"Fox"},
      "versions":[{"name":"v1","served":true,"storage":true,
                   "schema":{"openAPIV3Schema":{"type":"object"}}}]}})");
  EXPECT_EQ(other.status, 201) << other.body;
  EXPECT_EQ(condition(other, "NamesAccepted"), "False");
  EXPECT_EQ(condition(other, "Established"), "False");
  EXPECT_EQ(hub.get("/apis/ex.io/v1/namespaces/team/foxes").status, 404);
}

TEST_F(Definitions, AnotherSchemaHoldsForTheNextWrite) {
  hub.post(definitions, std::string(testing::kFooDefinition));
  EXPECT_EQ(hub.post(foos, R"({"metadata":{"name":"a"},"spec":{"n":50}})").status, 201);
  const HubAnswer added = hub.patch(
      foos_name,
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/n/maximum","value":10}])",
      "application/json-patch+json");
  EXPECT_EQ(added.status, 200) << added.body;
  EXPECT_EQ(added.at("/metadata/generation"), "2");
  EXPECT_EQ(hub.post(foos, R"({"metadata":{"name":"b"},"spec":{"n":50}})").status, 422);
}

TEST_F(Definitions, AChangeThatChangesNothingIsNotWritten) {
  hub.post(definitions, std::string(testing::kFooDefinition));
  const store::Revision before = hub.revision();
  EXPECT_EQ(hub.merge(foos_name, R"({"spec":{"scope":"Namespaced"}})").status, 200);
  EXPECT_EQ(hub.revision(), before);
}

TEST_F(Definitions, OneThatIsDeletedStaysUntilItsObjectsAreGone) {
  hub.post(definitions, std::string(testing::kFooDefinition));
  const HubAnswer marked = hub.remove(foos_name);
  EXPECT_EQ(marked.status, 200);
  EXPECT_EQ(condition(marked, "Terminating"), "True");
  EXPECT_EQ(marked.at("/metadata/finalizers"), R"(["customresourcecleanup.apiextensions.k8s.io"])");
  EXPECT_EQ(marked.at("/metadata/generation"), "1");
  EXPECT_EQ(condition(marked, "Established"), "True");
  EXPECT_EQ(hub.get(foos).status, 200);
  EXPECT_EQ(hub.merge(foos_name, R"({"metadata":{"finalizers":null}})").status, 200);
  EXPECT_EQ(hub.get(foos_name).status, 404);
  EXPECT_EQ(hub.get(foos).status, 404);
}

}  // namespace
}  // namespace berth::apiserver
