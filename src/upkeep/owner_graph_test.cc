#include "upkeep/owner_graph.h"

#include <string>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::upkeep {
namespace {

using json::Value;

constexpr ResourceId kThings = 0;
constexpr ResourceId kParts = 1;
constexpr ResourceId kWorlds = 2;  // Cluster-scoped.

class Graph : public ::testing::Test {
 protected:
  Graph() {
    graph_.follow(kThings, "g", "Thing");
    graph_.follow(kParts, "", "Part");
    graph_.follow(kWorlds, "g", "World");
  }

  static Value object(const std::string& ns, const std::string& name) {
    Value made;
    made["metadata"]["name"] = name;
    if (!ns.empty()) made["metadata"]["namespace"] = ns;
    made["metadata"]["uid"] = "uid-of-" + name;
    return made;
  }

  static Value owned_by(Value made, const std::string& api_version, const std::string& kind,
                        const std::string& name, bool blocks = false) {
    made["metadata"]["ownerReferences"].push_back(Value::object({{"apiVersion", api_version},
                                                                 {"kind", kind},
                                                                 {"name", name},
                                                                 {"uid", "uid-of-" + name},
                                                                 {"blockOwnerDeletion", blocks}}));
    return made;
  }

  static Value deleting(Value made, const std::string& finalizer) {
    made["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    made["metadata"]["finalizers"].push_back(finalizer);
    return made;
  }

  static std::string text(const OwnerGraph::Affected& affected) {
    std::string names;
    for (const ObjectId& id : affected) names += (names.empty() ? "" : " ") + id.key.text();
    return names;
  }

  OwnerGraph graph_;
};

TEST_F(Graph, RemembersNothingButFingerprintsOfObjectsWithoutOwners) {
  EXPECT_EQ(text(graph_.put(kThings, object("ns", "t"))), "");
  EXPECT_EQ(graph_.objects(), 1U);
  EXPECT_EQ(graph_.tracked(), 0U);
}

TEST_F(Graph, LooksAtDependentsWhoseOwnerIsNotThere) {
  const Value part = owned_by(object("ns", "p"), "g/v1", "Thing", "t");
  EXPECT_EQ(text(graph_.put(kParts, part)), "ns/p");
  EXPECT_TRUE(graph_.needs_look({kParts, {"ns", "p"}}));
  graph_.put(kThings, object("ns", "t"));
  EXPECT_FALSE(graph_.needs_look({kParts, {"ns", "p"}}));
  EXPECT_EQ(text(graph_.put(kParts, part)), "");
}

TEST_F(Graph, LooksAtDependentsWhenTheOwnerGoes) {
  graph_.put(kThings, object("ns", "t"));
  graph_.put(kParts, owned_by(object("ns", "p"), "g/v1", "Thing", "t"));
  graph_.put(kParts, owned_by(object("ns", "q"), "g/v9", "Thing", "t"));
  graph_.put(kParts, object("ns", "r"));
  EXPECT_EQ(text(graph_.remove(kThings, object("ns", "t"))), "ns/p ns/q");
}

TEST_F(Graph, TakesAnOwnerForAnotherOneIfAnyOfItsNamesDiffers) {
  graph_.put(kThings, object("other", "t"));
  EXPECT_EQ(text(graph_.put(kParts, owned_by(object("ns", "p"), "g/v1", "Thing", "t"))), "ns/p");
  EXPECT_EQ(text(graph_.put(kParts, owned_by(object("other", "p"), "g/v1", "Thing", "t"))), "");
  EXPECT_EQ(text(graph_.put(kParts, owned_by(object("other", "q"), "h/v1", "Thing", "t"))),
            "other/q");
  EXPECT_EQ(text(graph_.put(kParts, owned_by(object("other", "r"), "g/v1", "World", "t"))),
            "other/r");
}

TEST_F(Graph, LetsOwnersWithoutNamespaceOwnEverywhere) {
  graph_.put(kWorlds, object("", "w"));
  EXPECT_EQ(text(graph_.put(kParts, owned_by(object("a", "p"), "g/v1", "World", "w"))), "");
  EXPECT_EQ(text(graph_.put(kParts, owned_by(object("b", "p"), "g/v1", "World", "w"))), "");
  EXPECT_EQ(text(graph_.remove(kWorlds, object("", "w"))), "a/p b/p");
}

TEST_F(Graph, NoticesWhatWentUnseen) {
  graph_.put(kThings, object("ns", "t"));
  graph_.put(kThings, object("ns", "u"));
  graph_.put(kParts, owned_by(object("ns", "p"), "g/v1", "Thing", "t"));
  graph_.put(kParts, owned_by(object("ns", "q"), "g/v1", "Thing", "u"));
  const Value kept = object("ns", "u");
  EXPECT_EQ(text(graph_.replace(kThings, {&kept})), "ns/p");
  EXPECT_EQ(graph_.objects(), 3U);
  EXPECT_EQ(text(graph_.replace(kParts, {})), "");
  EXPECT_EQ(graph_.tracked(), 0U);
  EXPECT_EQ(graph_.objects(), 1U);
}

TEST_F(Graph, LooksAtWhatAVanishedKindOwned) {
  graph_.put(kThings, object("ns", "t"));
  graph_.put(kParts, owned_by(object("ns", "p"), "g/v1", "Thing", "t"));
  EXPECT_EQ(text(graph_.unfollow(kThings)), "ns/p");
}

TEST_F(Graph, LooksAtBothSidesOfAForegroundDeletion) {
  graph_.put(kThings, object("ns", "t"));
  graph_.put(kParts, owned_by(object("ns", "p"), "g/v1", "Thing", "t", true));
  const Value going = deleting(object("ns", "t"), "foregroundDeletion");
  EXPECT_EQ(text(graph_.put(kThings, going)), "ns/t ns/p");
  EXPECT_TRUE(graph_.awaits_dependents({kThings, {"ns", "t"}}));
  EXPECT_TRUE(graph_.needs_look({kParts, {"ns", "p"}}));
  ASSERT_EQ(graph_.dependents_of(kThings, going).size(), 1U);
  EXPECT_TRUE(graph_.dependents_of(kThings, going)[0].blocks_owner);
  EXPECT_EQ(text(graph_.remove(kParts, object("ns", "p"))), "ns/t");
  EXPECT_TRUE(graph_.dependents_of(kThings, going).empty());
}

TEST_F(Graph, TellsTheWaitingOwnerWhenADependentLetsGo) {
  const Value going = deleting(object("ns", "t"), "foregroundDeletion");
  graph_.put(kThings, going);
  graph_.put(kParts, owned_by(object("ns", "p"), "g/v1", "Thing", "t", true));
  EXPECT_EQ(text(graph_.put(kParts, object("ns", "p"))), "ns/t");
}

TEST_F(Graph, KnowsWhichOwnersStay) {
  const Value part = owned_by(object("ns", "p"), "g/v1", "Thing", "t");
  const Value& reference = part.find_path({"metadata", "ownerReferences"})->elements()[0];
  EXPECT_FALSE(graph_.is_solid(reference, "ns"));
  graph_.put(kThings, object("ns", "t"));
  EXPECT_TRUE(graph_.is_solid(reference, "ns"));
  EXPECT_FALSE(graph_.is_solid(reference, "elsewhere"));
  graph_.put(kThings, deleting(object("ns", "t"), "foregroundDeletion"));
  EXPECT_FALSE(graph_.is_solid(reference, "ns"));
}

TEST_F(Graph, SurvivesTheSameOwnerTwice) {
  Value part = owned_by(object("ns", "p"), "g/v1", "Thing", "t");
  part = owned_by(part, "g/v1", "Thing", "t", true);
  graph_.put(kParts, part);
  graph_.put(kThings, object("ns", "t"));
  EXPECT_EQ(graph_.dependents_of(kThings, object("ns", "t")).size(), 1U);
  graph_.put(kParts, object("ns", "p"));
  EXPECT_TRUE(graph_.dependents_of(kThings, object("ns", "t")).empty());
}

}  // namespace
}  // namespace berth::upkeep
