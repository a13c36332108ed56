#include "apiserver/verbs/read.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/requests/continue_token.h"
#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "base/base64.h"
#include "http/gzip.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class Reading : public ::testing::Test {
 protected:
  Reading() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    make("a", "red");
    make("b", "blue");
    make("c", "red");
  }

  void make(std::string_view name, std::string_view color) {
    hub.post(foos, fmt::format(R"({{"metadata":{{"name":"{0}","labels":{{"color":"{1}"}}}},)"
                               R"("spec":{{"color":"{1}","n":1}}}})",
                               name, color));
  }
  static std::string names(const HubAnswer& list) {
    std::string text;
    const json::Value document = list.json();
    const json::Value* items = document.find("items");
    if (!items) return "no list: " + list.body;
    for (const json::Value& item : items->elements()) {
      text += item.find_path({"metadata", "name"})->string_or_empty();
    }
    return text;
  }
  static std::string types(std::string_view events) {
    std::string text;
    while (!events.empty()) {
      const std::size_t line = events.find('\n');
      HubAnswer event{.body = std::string(events.substr(0, line))};
      text += event.at("/type") + " " + event.at("/object/metadata/name") + "\n";
      events.remove_prefix(line + 1);
    }
    return text;
  }
  std::string rv() const { return std::to_string(hub.revision()); }

  TestHub hub{20};
  std::string foos{testing::kFoos};
};

TEST_F(Reading, GetTellsTheObjectOrThatThereIsNone) {
  EXPECT_EQ(hub.get(foos + "/a").at("/spec/color"), "red");
  const HubAnswer missing = hub.get(foos + "/zz");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.at("/reason"), "NotFound");
  EXPECT_EQ(missing.at("/details"), R"({"name":"zz","group":"ex.io","kind":"foos"})");
  EXPECT_EQ(hub.get(foos + "/a?resourceVersion=0").status, 200);
  EXPECT_EQ(hub.get(foos + "/a?resourceVersion=x").status, 400);
}

TEST_F(Reading, AVersionFromTheFutureIsNotThereYet) {
  for (const std::string& target : {foos + "/a?", foos + "?"}) {
    const HubAnswer answer = hub.get(target + "resourceVersion=999999");
    EXPECT_EQ(answer.status, 504);
    EXPECT_EQ(answer.at("/reason"), "Timeout");
    EXPECT_EQ(answer.at("/details/causes/0/reason"), "ResourceVersionTooLarge");
    EXPECT_EQ(answer.at("/details/retryAfterSeconds"), "1");
    EXPECT_EQ(answer.headers.find("retry-after"), "1");
  }
}

TEST_F(Reading, AListSaysItsKindAndRevision) {
  const HubAnswer list = hub.get(foos);
  EXPECT_EQ(list.status, 200);
  EXPECT_EQ(list.at("/kind"), "FooList");
  EXPECT_EQ(list.at("/apiVersion"), "ex.io/v1");
  EXPECT_EQ(list.at("/metadata"), fmt::format(R"({{"resourceVersion":"{}"}})", rv()));
  EXPECT_EQ(names(list), "abc");
  EXPECT_EQ(list.at("/items/0/kind"), "Foo");
  EXPECT_EQ(names(hub.get("/apis/ex.io/v1/foos")), "abc");
  EXPECT_EQ(names(hub.get("/apis/ex.io/v1/namespaces/default/foos")), "");
}

TEST_F(Reading, ALongListIsTheSameTextPackedOrNot) {
  const std::string maps = "/api/v1/namespaces/team/configmaps";
  const auto list = [&](const char* encoding) {
    return hub.send({.target = maps, .headers = {{"accept-encoding", encoding}}});
  };
  const HubAnswer none = list("gzip");
  EXPECT_EQ(none.headers.find("content-encoding"), std::nullopt);
  EXPECT_EQ(none.at("/items"), "[]");
  const std::string text(10'000, 'x');
  for (char name = 'a'; name <= 't'; ++name) {
    hub.post(maps,
             fmt::format(R"({{"metadata":{{"name":"{}"}},"data":{{"x":"{}"}}}})", name, text));
  }
  const HubAnswer plain = list("identity");
  EXPECT_EQ(plain.headers.find("content-encoding"), std::nullopt);
  EXPECT_EQ(plain.at("/kind"), "ConfigMapList");
  EXPECT_EQ(names(plain), "abcdefghijklmnopqrst");
  EXPECT_EQ(plain.at("/items/19/data/x"), text);
  const HubAnswer packed = list("gzip");
  EXPECT_EQ(packed.headers.find("content-encoding"), "gzip");
  EXPECT_EQ(packed.headers.find("vary"), "Accept-Encoding");
  EXPECT_LT(packed.body.size(), plain.body.size() / 10);
  EXPECT_EQ(http::gunzip(packed.body, {}).value_or(""), plain.body);
}

TEST_F(Reading, ListsAreSelected) {
  struct Row {
    const char* query;
    const char* names;
  };
  for (const Row& row : {
           Row{"labelSelector=color", "abc"},
           Row{"labelSelector=!color", ""},
           Row{"labelSelector=color%3Dred", "ac"},
           Row{"labelSelector=color%21%3Dred", "b"},
           Row{"labelSelector=color+in+(blue,green)", "b"},
           Row{"labelSelector=color+notin+(blue)", "ac"},
           Row{"fieldSelector=metadata.name%3Db", "b"},
           Row{"fieldSelector=metadata.name%21%3Db", "ac"},
           Row{"fieldSelector=metadata.namespace%3Dteam", "abc"},
           Row{"fieldSelector=spec.color%3Dred", "ac"},
           Row{"fieldSelector=metadata.name%3Da,spec.color%3Dblue", ""},
       }) {
    EXPECT_EQ(names(hub.get(foos + "?" + row.query)), row.names) << row.query;
  }
  EXPECT_EQ(hub.get(foos + "?labelSelector=a+b").status, 400);
  EXPECT_EQ(hub.get(foos + "?fieldSelector=spec.n%3D1").status, 400);
}

TEST_F(Reading, PagesAreOfOneMoment) {
  const HubAnswer first = hub.get(foos + "?limit=1");
  EXPECT_EQ(names(first), "a");
  EXPECT_EQ(first.at("/metadata/remainingItemCount"), "2");
  const std::string revision = first.at("/metadata/resourceVersion");
  hub.remove(foos + "/b");
  make("d", "red");
  const std::string more = foos + "?limit=1&continue=";
  const HubAnswer second = hub.get(more + first.at("/metadata/continue"));
  EXPECT_EQ(names(second), "b");
  EXPECT_EQ(second.at("/metadata/resourceVersion"), revision);
  const HubAnswer third = hub.get(more + second.at("/metadata/continue"));
  EXPECT_EQ(names(third), "c");
  EXPECT_EQ(third.at("/metadata/continue"), "");
  EXPECT_EQ(third.at("/metadata/remainingItemCount"), "");
}

TEST_F(Reading, WhatIsLeftIsCountedWithinTheNamespaceOnly) {
  hub.post("/apis/ex.io/v1/namespaces/default/foos", R"({"metadata":{"name":"z"}})");
  hub.post("/api/v1/namespaces", R"({"metadata":{"name":"team-2"}})");
  hub.post("/apis/ex.io/v1/namespaces/team-2/foos", R"({"metadata":{"name":"z"}})");
  EXPECT_EQ(hub.get(foos + "?limit=1").at("/metadata/remainingItemCount"), "2");
  EXPECT_EQ(hub.get("/apis/ex.io/v1/foos?limit=1").at("/metadata/remainingItemCount"), "4");
  EXPECT_EQ(hub.get(foos + "?limit=1&labelSelector=color").at("/metadata/remainingItemCount"), "");
}

TEST_F(Reading, AContinuationThatCannotBeIsABadRequest) {
  EXPECT_EQ(hub.get(foos + "?continue=nonsense").status, 400);
  const std::string token = hub.get(foos + "?limit=1").at("/metadata/continue");
  EXPECT_EQ(hub.get(foos + "?limit=1&resourceVersion=1&continue=" + token).status, 400);
  EXPECT_EQ(
      hub.get(foos + "?limit=1&resourceVersion=1&resourceVersionMatch=Exact&continue=" + token)
          .status,
      422);
}

TEST_F(Reading, AContinuationThatIsForgottenCanGoOnWithTheNewest) {
  const std::string token = hub.get(foos + "?limit=1").at("/metadata/continue");
  for (int i = 0; i < 30; ++i)
    hub.merge(foos + "/a", fmt::format(R"({{"spec":{{"n":{}}}}})", i + 2));
  const HubAnswer expired = hub.get(foos + "?limit=1&continue=" + token);
  EXPECT_EQ(expired.status, 410);
  EXPECT_EQ(expired.at("/reason"), "Expired");
  const HubAnswer rest = hub.get(foos + "?continue=" + expired.at("/metadata/continue"));
  EXPECT_EQ(rest.status, 200);
  EXPECT_EQ(names(rest), "bc");
}

TEST_F(Reading, VersionsMeanWhatTheTableOfTheApiSays) {
  const std::string old = rv();
  make("d", "red");
  struct Row {
    std::string query;
    int status;
    const char* names;
  };
  for (const Row& row : {
           Row{"resourceVersion=0", 200, "abcd"},
           Row{"resourceVersion=" + old, 200, "abcd"},
           Row{"resourceVersion=" + old + "&limit=10", 200, "abc"},
           Row{"resourceVersion=" + old + "&resourceVersionMatch=Exact", 200, "abc"},
           Row{"resourceVersion=" + old + "&resourceVersionMatch=NotOlderThan&limit=10", 200,
               "abcd"},
           Row{"resourceVersion=0&resourceVersionMatch=NotOlderThan", 200, "abcd"},
           Row{"resourceVersionMatch=Exact", 422, nullptr},
           Row{"resourceVersionMatch=NotOlderThan", 422, nullptr},
           Row{"resourceVersion=0&resourceVersionMatch=Exact", 422, nullptr},
           Row{"resourceVersion=1&resourceVersionMatch=Perhaps", 422, nullptr},
           Row{"resourceVersion=x", 400, nullptr},
           Row{"sendInitialEvents=true", 422, nullptr},
       }) {
    const HubAnswer answer = hub.get(foos + "?" + row.query);
    EXPECT_EQ(answer.status, row.status) << row.query << " " << answer.body;
    if (row.names) {
      EXPECT_EQ(names(answer), row.names) << row.query;
    }
  }
  const HubAnswer unsaid = hub.get(foos + "?resourceVersionMatch=Exact");
  EXPECT_EQ(unsaid.at("/details/kind"), "ListOptions");
  EXPECT_EQ(unsaid.at("/details/group"), "meta.k8s.io");
}

TEST_F(Reading, AnExactVersionThatIsForgottenIsGone) {
  const std::string old = rv();
  for (int i = 0; i < 30; ++i)
    hub.merge(foos + "/a", fmt::format(R"({{"spec":{{"n":{}}}}})", i + 2));
  const HubAnswer expired = hub.get(foos + "?resourceVersionMatch=Exact&resourceVersion=" + old);
  EXPECT_EQ(expired.status, 410);
  EXPECT_EQ(expired.at("/reason"), "Expired");
}

TEST_F(Reading, AWatchBeginsWithWhatIsThere) {
  const HubAnswer all = hub.get(foos + "?watch=true");
  EXPECT_EQ(types(all.body), "ADDED a\nADDED b\nADDED c\n");
  EXPECT_EQ(types(hub.get(foos + "?watch=1&resourceVersion=0").body),
            "ADDED a\nADDED b\nADDED c\n");
  EXPECT_EQ(types(hub.get(foos + "?watch=1&labelSelector=color%3Dred").body), "ADDED a\nADDED c\n");
  EXPECT_EQ(types(hub.get(foos + "/b?watch=1").body), "ADDED b\n");
  EXPECT_EQ(types(hub.get(foos + "?watch=1&resourceVersion=" + rv()).body), "");
}

TEST_F(Reading, AWatchFromARevisionTellsWhatCameAfter) {
  const std::string old = rv();
  make("d", "red");
  hub.merge(foos + "/a", R"({"spec":{"n":2}})");
  hub.remove(foos + "/b");
  const std::string target = foos + "?watch=1&resourceVersion=" + old;
  EXPECT_EQ(types(hub.get(target).body), "ADDED d\nMODIFIED a\nDELETED b\n");
  EXPECT_EQ(types(hub.get(target + "&fieldSelector=metadata.name%3Da").body), "MODIFIED a\n");
}

TEST_F(Reading, TheInitialStateEndsWithABookmarkForThoseWhoAsk) {
  const std::string query =
      "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
      "&resourceVersionMatch=NotOlderThan";
  const HubAnswer events = hub.get(foos + query);
  EXPECT_EQ(types(events.body), "ADDED a\nADDED b\nADDED c\nBOOKMARK \n");
  const std::string last = events.body.substr(events.body.rfind('\n', events.body.size() - 2) + 1);
  const HubAnswer bookmark{.body = last};
  EXPECT_EQ(bookmark.at("/object/kind"), "Foo");
  EXPECT_EQ(bookmark.at("/object/apiVersion"), "ex.io/v1");
  EXPECT_EQ(bookmark.at("/object/metadata/annotations"), R"({"k8s.io/initial-events-end":"true"})");
  EXPECT_EQ(bookmark.at("/object/metadata/resourceVersion"), rv());
  EXPECT_EQ(hub.get(foos + query + "&resourceVersion=999999").status, 504);
}

TEST_F(Reading, ParametersOfAWatchHaveToFitTogether) {
  for (const char* query : {"sendInitialEvents=true", "resourceVersionMatch=NotOlderThan",
                            "sendInitialEvents=true&resourceVersionMatch=Exact"}) {
    EXPECT_EQ(hub.get(foos + "?watch=1&" + query).status, 422) << query;
  }
  const HubAnswer from_now =
      hub.get(foos + "?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan");
  EXPECT_EQ(from_now.status, 200);
  EXPECT_EQ(from_now.body, "");
}

TEST_F(Reading, AListOfAnotherVersionIsRenderedInIt) {
  const HubAnswer list = hub.get("/apis/ex.io/v1alpha1/foos");
  EXPECT_EQ(list.at("/apiVersion"), "ex.io/v1alpha1");
  EXPECT_EQ(list.at("/items/2/apiVersion"), "ex.io/v1alpha1");
}

}  // namespace
}  // namespace berth::apiserver
