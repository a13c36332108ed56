#include "apiserver/strategies/namespaces.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kNamespaces = "/api/v1/namespaces";

TEST(Namespaces, ANewOneIsActiveNamedAndHeld) {
  TestHub hub;
  const HubAnswer made =
      hub.post(kNamespaces, R"({"metadata":{"name":"n"},"status":{"phase":"X"}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/spec/finalizers"), R"(["kubernetes"])");
  EXPECT_EQ(made.at("/status"), R"({"phase":"Active"})");
  EXPECT_EQ(made.at("/metadata/labels"), R"({"kubernetes.io/metadata.name":"n"})");
  const HubAnswer own =
      hub.post(kNamespaces, R"({"metadata":{"name":"m"},"spec":{"finalizers":["ex.io/f"]}})");
  EXPECT_EQ(own.at("/spec/finalizers"), R"(["ex.io/f","kubernetes"])");
}

TEST(Namespaces, TheNameStaysOnTheLabel) {
  TestHub hub;
  const HubAnswer patched = hub.merge(kNamespaces + "/team", R"({"metadata":{"labels":null}})");
  EXPECT_EQ(patched.at("/metadata/labels"), R"({"kubernetes.io/metadata.name":"team"})");
}

TEST(Namespaces, ADeletedOneTerminatesUntilItIsFinalized) {
  TestHub hub;
  const HubAnswer marked = hub.remove(kNamespaces + "/team");
  EXPECT_EQ(marked.at("/kind"), "Namespace");
  EXPECT_EQ(marked.at("/status/phase"), "Terminating");
  EXPECT_EQ(
      hub.merge(kNamespaces + "/team", R"({"spec":{"finalizers":[]}})").at("/spec/finalizers"),
      R"(["kubernetes"])");
  EXPECT_EQ(hub.get(kNamespaces + "/team").status, 200);
  const std::string body = R"({"metadata":{"name":"team"},"spec":{},"status":{"phase":"Active"}})";
  const HubAnswer last = hub.put(kNamespaces + "/team/finalize", body);
  EXPECT_EQ(last.status, 200);
  EXPECT_EQ(last.at("/status/phase"), "Terminating");
  EXPECT_EQ(hub.get(kNamespaces + "/team").status, 404);
}

TEST(Namespaces, FinalizingOneThatStaysChangesItsFinalizersOnly) {
  TestHub hub;
  const HubAnswer changed =
      hub.put(kNamespaces + "/team/finalize",
              R"({"metadata":{"name":"team"},"spec":{"finalizers":["ex.io/f"]}})");
  EXPECT_EQ(changed.at("/spec/finalizers"), R"(["ex.io/f"])");
  EXPECT_EQ(changed.at("/status/phase"), "Active");
}

TEST(Namespaces, SomeAreForEver) {
  EXPECT_TRUE(is_permanent_namespace("default"));
  EXPECT_TRUE(is_permanent_namespace("kube-public"));
  EXPECT_FALSE(is_permanent_namespace("kube-node-lease"));
}

TEST(Namespaces, OnlyOneThatIsThereAndStaysIsOpen) {
  TestHub hub;
  const View view = hub.view();
  const auto pods = view.registry->find("", "v1", "pods");
  EXPECT_TRUE(check_namespace_open(view, *pods, "team", "p").has_value());
  const auto missing = check_namespace_open(view, *pods, "nowhere", "p");
  EXPECT_EQ(missing.error().error.code, Code::NotFound);
  EXPECT_EQ(missing.error().details.kind, "namespaces");
  hub.remove(kNamespaces + "/team");
  const auto closed = check_namespace_open(hub.view(), *pods, "team", "p");
  EXPECT_EQ(closed.error().error.code, Code::Forbidden);
  EXPECT_EQ(closed.error().error.causes.front().reason, "NamespaceTerminating");
}

}  // namespace
}  // namespace berth::apiserver
