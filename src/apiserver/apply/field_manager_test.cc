#include "apiserver/apply/field_manager.h"

#include <map>

#include <gtest/gtest.h>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using json::Value;
using testing::json_of;
using testing::ThingType;

constexpr std::string_view kVersion = "ex.io/v1";

// One object on which managers act as on a server. What a table below expects was read off a real
// kube-apiserver 1.35.
class Scene {
 public:
  // How a write is meant.
  struct Manner {
    bool force = false;
    std::string subresource = {};
    const FieldSet* reset_fields = nullptr;
  };

  Result<Value> apply(const std::string& manager, std::string_view spec) {
    return apply(manager, spec, Manner());
  }
  Result<Value> apply(const std::string& manager, std::string_view spec, const Manner& manner) {
    Value applied = object();
    applied["spec"] = json_of(spec);
    return apply_object(manager, applied, manner);
  }
  Result<Value> apply_object(const std::string& manager, const Value& applied) {
    return apply_object(manager, applied, Manner());
  }
  Result<Value> apply_object(const std::string& manager, const Value& applied,
                             const Manner& manner) {
    auto result = apiserver::apply(live_ ? &*live_ : nullptr, applied, *thing_.schema.root,
                                   {.manager = manager,
                                    .api_version = std::string(kVersion),
                                    .kind = "Thing",
                                    .subresource = manner.subresource,
                                    .force = manner.force,
                                    .now = next_second(),
                                    .reset_fields = manner.reset_fields});
    if (result.ok()) store(*result);
    return result;
  }

  void update(const std::string& manager, std::string_view spec) {
    Value wanted = live_ ? *live_ : object();
    wanted["spec"] = json_of(spec);
    update_object(manager, std::move(wanted));
  }
  void update_object(const std::string& manager, Value wanted) {
    update_object(manager, std::move(wanted), Manner());
  }
  void update_object(const std::string& manager, Value wanted, const Manner& manner) {
    store(apiserver::update(live_ ? &*live_ : nullptr, std::move(wanted), *thing_.schema.root,
                            {.manager = manager,
                             .api_version = std::string(kVersion),
                             .subresource = manner.subresource,
                             .now = next_second(),
                             .reset_fields = manner.reset_fields}));
  }

  static Value object() {
    return json_of(R"({"apiVersion":"ex.io/v1","kind":"Thing","metadata":{"name":"a"}})");
  }

  const Value& live() const { return *live_; }
  std::string spec() const { return json::print(*live_->find("spec")); }

  // "m1/Apply": the fields, as FieldsV1.
  std::map<std::string, std::string> owners() const {
    std::map<std::string, std::string> result;
    const Value* fields = live_->find_path({"metadata", "managedFields"});
    const ManagedFields decoded = decode_managed_fields(fields).value();
    for (const ManagedEntry& entry : decoded) {
      std::string name = entry.name.manager;
      name += entry.name.operation == Operation::Apply ? "/Apply" : "/Update";
      if (!entry.name.subresource.empty()) name += "/" + entry.name.subresource;
      result[name] = testing::text_of_set(entry.fields);
    }
    return result;
  }

 private:
  void store(Value object) {
    object["metadata"]["uid"] = "1";
    live_ = std::move(object);
  }

  Time next_second() { return Time::from_unix(++seconds_); }

  ThingType thing_;
  std::optional<Value> live_;
  std::int64_t seconds_ = 1'000'000;
};

using Owners = std::map<std::string, std::string>;

TEST(FieldManager, ApplyCreatesAndOwnsWhatItNames) {
  Scene scene;
  ASSERT_TRUE(scene.apply("m1", R"({"n":1,"ports":[{"port":80}]})").ok());
  EXPECT_EQ(scene.owners(),
            (Owners{{"m1/Apply",
                     R"({"f:spec":{"f:n":{},"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":)"
                     R"({".":{},"f:port":{}}}}})"}}));
}

TEST(FieldManager, WhoAppliesTheSameSharesItWithoutATime) {
  Scene scene;
  ASSERT_TRUE(scene.apply("m1", R"({"n":1})").ok());
  ASSERT_TRUE(scene.apply("m2", R"({"n":1})").ok());
  EXPECT_EQ(scene.owners(), (Owners{{"m1/Apply", R"({"f:spec":{"f:n":{}}})"},
                                    {"m2/Apply", R"({"f:spec":{"f:n":{}}})"}}));
  const Value& first = scene.live().find_path({"metadata", "managedFields"})->elements()[0];
  EXPECT_EQ(first.find("manager")->string_or_empty(), "m2");
  EXPECT_EQ(first.find("time"), nullptr);
}

TEST(FieldManager, AnotherValueIsAConflictUnlessForced) {
  Scene scene;
  ASSERT_TRUE(scene.apply("m1", R"({"n":1,"s":"x"})").ok());
  const auto refused = scene.apply("m2", R"({"n":2})");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "Apply failed with 1 conflict: conflict with \"m1\": .spec.n");
  EXPECT_EQ(scene.spec(), R"({"n":1,"s":"x"})");

  ASSERT_TRUE(scene.apply("m2", R"({"n":2})", {.force = true}).ok());
  EXPECT_EQ(scene.owners(), (Owners{{"m1/Apply", R"({"f:spec":{"f:s":{}}})"},
                                    {"m2/Apply", R"({"f:spec":{"f:n":{}}})"}}));
}

TEST(FieldManager, WhatIsNoLongerAppliedDisappearsUnlessSomebodyElseOwnsIt) {
  Scene scene;
  ASSERT_TRUE(scene.apply("m1", R"({"n":1,"s":"x","set":["a","b"],"texts":{"k":"v"}})").ok());
  ASSERT_TRUE(scene.apply("m2", R"({"s":"x","set":["b","c"]})").ok());
  ASSERT_TRUE(scene.apply("m1", R"({})").ok());
  EXPECT_EQ(scene.spec(), R"({"s":"x","set":["b","c"]})");
  EXPECT_EQ(scene.owners().size(), 2u) << "m1 owns the empty spec";
}

TEST(FieldManager, ApplyingTwiceChangesNothing) {
  Scene scene;
  const std::string_view spec =
      R"({"n":1,"named":[{"name":"b","v":1},{"name":"a"}],"free":{"x":{"y":[1]}},"whole":{}})";
  ASSERT_TRUE(scene.apply("m1", spec).ok());
  const Value before = scene.live();
  ASSERT_TRUE(scene.apply("m1", spec).ok());
  EXPECT_EQ(scene.live(), before) << "times included";
}

TEST(FieldManager, UpdatesOwnWhatTheyChanged) {
  Scene scene;
  scene.update("creator", R"({"n":1,"nested":{"a":"x"}})");
  EXPECT_EQ(
      scene.owners(),
      (Owners{{"creator/Update", R"({"f:spec":{".":{},"f:n":{},"f:nested":{".":{},"f:a":{}}}})"}}));
  scene.update("editor", R"({"n":2,"nested":{"a":"x","b":"y"}})");
  EXPECT_EQ(scene.owners(),
            (Owners{{"creator/Update", R"({"f:spec":{".":{},"f:nested":{".":{},"f:a":{}}}})"},
                    {"editor/Update", R"({"f:spec":{"f:n":{},"f:nested":{"f:b":{}}}})"}}));
  const Value before = scene.live();
  scene.update("third", R"({"nested":{"b":"y","a":"x"},"n":2})");
  EXPECT_EQ(scene.live(), before) << "nothing changed";
  scene.update("fourth", R"({"nested":{"a":"x"}})");
  EXPECT_EQ(scene.owners(),
            (Owners{{"creator/Update", R"({"f:spec":{".":{},"f:nested":{".":{},"f:a":{}}}})"}}));
}

TEST(FieldManager, UpdatersConflictWithAppliersByVersion) {
  Scene scene;
  scene.update("test", R"({"n":1})");
  const auto refused = scene.apply("m1", R"({"n":2})");
  EXPECT_EQ(refused.error().message,
            "Apply failed with 1 conflict: conflict with \"test\" using ex.io/v1: .spec.n");
}

TEST(FieldManager, BroughtManagedFieldsAreTakenResetOrIgnored) {
  struct Case {
    std::string_view brought;
    Owners owners;
  };
  const Owners before = {{"m1/Apply", R"({"f:spec":{"f:n":{}}})"}};
  const Case cases[] = {
      {"null", before},
      {"[]", before},
      {"[{}]", {}},
      {R"([{"manager":"broken"}])", before},
      {R"([{"manager":"x","operation":"Update","apiVersion":"ex.io/v1","fieldsType":"FieldsV1",
        "fieldsV1":{"f:spec":{"f:s":{}}}}])",
       {{"x/Update", R"({"f:spec":{"f:s":{}}})"}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.brought);
    Scene scene;
    ASSERT_TRUE(scene.apply("m1", R"({"n":1})").ok());
    Value wanted = scene.live();
    wanted["metadata"]["managedFields"] = json_of(c.brought);
    scene.update_object("editor", wanted);
    EXPECT_EQ(scene.owners(), c.owners);
    scene.update_object("status-writer", wanted, {.subresource = "status"});
    EXPECT_EQ(scene.owners(), c.owners) << "subresources do not touch them";
  }
}

TEST(FieldManager, AfterAResetNobodyOwnsUntilTheNextApply) {
  Scene scene;
  scene.update("creator", R"({"n":1})");
  Value wanted = scene.live();
  wanted["metadata"]["managedFields"] = json_of("[{}]");
  scene.update_object("editor", wanted);
  scene.update("editor", R"({"n":2})");
  EXPECT_EQ(scene.owners(), Owners{});
  ASSERT_FALSE(scene.apply("m1", R"({"n":3})").ok());
  ASSERT_TRUE(scene.apply("m1", R"({"n":3})", {.force = true}).ok());
  EXPECT_EQ(scene.owners(), (Owners{{"before-first-apply/Update", R"({"f:spec":{}})"},
                                    {"m1/Apply", R"({"f:spec":{"f:n":{}}})"}}));
}

TEST(FieldManager, ResetFieldsAreOwnedByNobody) {
  const FieldSet status = field_set({path_of({"status"})});
  const FieldSet spec = field_set({path_of({"spec"})});
  Scene scene;
  Value created = Scene::object();
  created["spec"]["n"] = 1;
  created["status"]["phase"] = "x";
  scene.update_object("creator", created, {.reset_fields = &status});
  EXPECT_EQ(scene.owners(), (Owners{{"creator/Update", R"({"f:spec":{".":{},"f:n":{}}})"}}));

  Value wanted = scene.live();
  wanted["spec"]["n"] = 2;
  wanted["status"]["count"] = 1;
  scene.update_object("writer", wanted, {.subresource = "status", .reset_fields = &spec});
  EXPECT_EQ(scene.owners(), (Owners{{"creator/Update", R"({"f:spec":{".":{},"f:n":{}}})"},
                                    {"writer/Update/status", R"({"f:status":{"f:count":{}}})"}}));
}

TEST(FieldManager, BadConfigurationsAreRefused) {
  Scene scene;
  Value applied = Scene::object();
  applied["kind"] = "Other";
  EXPECT_EQ(
      scene.apply_object("m", applied).error(),
      (Error{.code = Code::BadRequest, .message = "invalid object type: ex.io/v1, Kind=Other"}));
  applied = Scene::object();
  applied["metadata"]["managedFields"] = Value::array();
  EXPECT_EQ(scene.apply_object("m", applied).error(),
            (Error{.code = Code::BadRequest, .message = "metadata.managedFields must be nil"}));
  EXPECT_EQ(scene.apply("m", R"({"bogus":2})").error(),
            (Error{.code = Code::Unknown,
                   .message = "failed to create typed patch object (/a; ex.io/v1, Kind=Thing): "
                              ".spec.bogus: field not declared in schema"}));
}

TEST(FieldManager, KubectlTakesOverFromItsAnnotation) {
  Scene scene;
  Value created = Scene::object();
  created["spec"] = json_of(R"({"n":1,"s":"x"})");
  created["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] =
      R"({"apiVersion":"ex.io/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"n":1,"s":"x"}})";
  scene.update_object("kubectl-client-side-apply", created);
  EXPECT_FALSE(scene.apply("somebody", R"({"n":2})").ok());
  ASSERT_TRUE(scene.apply("kubectl", R"({"n":2,"s":"x"})").ok());
  EXPECT_EQ(scene.spec(), R"({"n":2,"s":"x"})");
  EXPECT_EQ(scene.live()
                .find_path(
                    {"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"})
                ->string_or_empty(),
            "{\"apiVersion\":\"ex.io/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},"
            "\"spec\":{\"n\":2,\"s\":\"x\"}}\n");
  scene.update("stranger", R"({"n":5,"s":"x"})");
  EXPECT_FALSE(scene.apply("kubectl", R"({"n":2,"s":"x"})").ok()) << "changed since";
}

TEST(FieldManager, ServerFieldsAreNeverOwned) {
  Scene scene;
  Value created = Scene::object();
  for (const std::string_view name : {"uid", "resourceVersion", "creationTimestamp", "namespace"}) {
    created["metadata"][name] = "2026-11-16T05:00:00Z";
  }
  created["metadata"]["generation"] = 1;
  created["metadata"]["labels"]["a"] = "x";
  scene.update_object("creator", created);
  EXPECT_EQ(scene.owners(),
            (Owners{{"creator/Update", R"({"f:metadata":{"f:labels":{".":{},"f:a":{}}}})"}}));
}

TEST(FieldManager, AnUnreadableObjectLosesItsManagedFields) {
  Scene scene;
  ASSERT_TRUE(scene.apply("m1", R"({"named":[{"name":"a"}]})").ok());
  scene.update("editor", R"({"named":[{"v":1}]})");
  EXPECT_EQ(scene.live().find_path({"metadata", "managedFields"}), nullptr);
}

TEST(FieldManager, TheApplierOfAnotherVersionIsTheSame) {
  Scene scene;
  ASSERT_TRUE(scene.apply("m1", R"({"n":1,"s":"x"})").ok());
  Value older = scene.live();
  older.find("metadata")->find("managedFields")->elements()[0]["apiVersion"] = "ex.io/v0";
  scene.update_object("nobody", std::move(older));
  ASSERT_TRUE(scene.apply("m1", R"({"n":1})").ok());
  EXPECT_EQ(scene.spec(), R"({"n":1})");
  EXPECT_EQ(scene.owners(), (Owners{{"m1/Apply", R"({"f:spec":{"f:n":{}}})"}}));
}

}  // namespace
}  // namespace berth::apiserver
