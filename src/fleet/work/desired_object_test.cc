#include "fleet/work/desired_object.h"

#include <gtest/gtest.h>

#include "fleet/work/names.h"
#include "json/parse.h"
#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

using json::Value;

Value read(std::string_view yaml) { return json::read_yaml(std::string(yaml)).value().at(0); }

OwnerWish owner(bool owned = true) {
  return {.reference = owner_reference(read("{metadata: {name: h-w, uid: u1}}")), .owned = owned};
}

// As a server shows what was made of the manifest.
Value live(std::string_view yaml) {
  Value object = read(yaml);
  object["metadata"]["uid"] = "u";
  object["metadata"]["resourceVersion"] = "7";
  object["metadata"]["ownerReferences"] = Value::array({owner().reference});
  return object;
}

Deed deed(const Value& manifest, UpdateStrategy update, const Value* there,
          std::optional<Fingerprint> settled = std::nullopt) {
  if (update.field_manager.empty()) update.field_manager = "work-agent";
  return deed_for({.manifest = manifest, .update = update, .owner = owner()}, there, settled);
}

constexpr std::string_view kThing =
    "{apiVersion: example.com/v1, kind: Thing, metadata: {name: t, namespace: ns}, spec: {a: 1}}";

TEST(Update, CreatesWhatIsMissing) {
  const Value manifest = read(kThing);
  const Deed made = deed(manifest, {}, nullptr);
  ASSERT_TRUE(std::holds_alternative<CreateObject>(made));
  EXPECT_EQ(std::get<CreateObject>(made).object, as_created(manifest, owner()));
}

TEST(Update, LeavesAloneWhatIsEqual) {
  Value there = live(kThing);
  there["status"] = Value::object({{"phase", "Fine"}});
  there["metadata"]["labels"] = Value::object({{"theirs", "1"}});
  EXPECT_TRUE(std::holds_alternative<Nothing>(deed(read(kThing), {}, &there)));
}

TEST(Update, ReplacesWhatDiffersInTheVersionThatWasRead) {
  Value there = live(kThing);
  there["spec"] = Value::object({{"a", 2}, {"defaulted", true}});
  there["status"] = Value::object({{"phase", "Fine"}});
  there["metadata"]["finalizers"] = Value::array({"example.com/hold"});
  const Deed made = deed(read(kThing), {}, &there);
  ASSERT_TRUE(std::holds_alternative<ReplaceObject>(made));
  Value expected = there;
  expected["spec"] = Value::object({{"a", 1}});
  EXPECT_EQ(std::get<ReplaceObject>(made).object, expected);
}

TEST(Update, WhatTheServerAddedIsNotFoughtOver) {
  Value there = live(kThing);
  there["spec"]["defaulted"] = true;
  EXPECT_TRUE(std::holds_alternative<ReplaceObject>(deed(read(kThing), {}, &there)));
  const Fingerprint settled = fingerprint(there, UpdateType::Update);
  there["status"] = Value::object({{"phase", "Fine"}});
  EXPECT_TRUE(std::holds_alternative<Nothing>(deed(read(kThing), {}, &there, settled)));
  there["spec"]["a"] = 2;
  EXPECT_TRUE(std::holds_alternative<ReplaceObject>(deed(read(kThing), {}, &there, settled)));
}

TEST(Update, AnOwnerThatIsMissingIsAddedEvenIfTheRestIsSettled) {
  Value there = live(kThing);
  const Fingerprint settled = fingerprint(there, UpdateType::Update);
  there["metadata"].erase("ownerReferences");
  EXPECT_TRUE(std::holds_alternative<ReplaceObject>(deed(read(kThing), {}, &there, settled)));
}

TEST(CreateOnly, OnlyTheOwnerIsKept) {
  const UpdateStrategy once{.type = UpdateType::CreateOnly};
  EXPECT_TRUE(std::holds_alternative<CreateObject>(deed(read(kThing), once, nullptr)));
  Value there = live(kThing);
  there["spec"]["a"] = 2;
  EXPECT_TRUE(std::holds_alternative<Nothing>(deed(read(kThing), once, &there)));
  there["metadata"].erase("ownerReferences");
  EXPECT_TRUE(std::holds_alternative<PatchOwners>(deed(read(kThing), once, &there)));
}

TEST(ReadOnly, WritesNothing) {
  const UpdateStrategy look{.type = UpdateType::ReadOnly};
  EXPECT_TRUE(std::holds_alternative<Nothing>(deed(read(kThing), look, nullptr)));
}

TEST(ServerSideApply, SendsTheManifestWithoutEmptyTimes) {
  const Value manifest = read(
      "{apiVersion: v1, kind: Thing, metadata: {name: t, uid: x, creationTimestamp: null}, spec: "
      "{template: {metadata: {creationTimestamp: null, labels: {a: b}}}}}");
  const Deed made = deed(manifest, {.type = UpdateType::ServerSideApply, .force = true}, nullptr);
  ASSERT_TRUE(std::holds_alternative<ApplyObject>(made));
  const auto& apply = std::get<ApplyObject>(made);
  EXPECT_TRUE(apply.force);
  EXPECT_EQ(apply.field_manager, "work-agent");
  EXPECT_EQ(apply.object,
            read("{apiVersion: v1, kind: Thing, metadata: {name: t}, spec: {template: {metadata: "
                 "{labels: {a: b}}}}}"));
}

TEST(ServerSideApply, IsNotRepeatedWhileTheObjectIsAsTheServerMadeIt) {
  const UpdateStrategy apply{.type = UpdateType::ServerSideApply};
  Value there = live(kThing);
  const Fingerprint settled = fingerprint(there, UpdateType::ServerSideApply);
  EXPECT_TRUE(std::holds_alternative<Nothing>(deed(read(kThing), apply, &there, settled)));
  there["metadata"]["labels"] = Value::object({{"theirs", "1"}});
  EXPECT_TRUE(std::holds_alternative<ApplyObject>(deed(read(kThing), apply, &there, settled)));
}

TEST(ServerSideApply, IgnoredFieldsAreSentOnlyWhenTheObjectIsMade) {
  const UpdateStrategy apply{.type = UpdateType::ServerSideApply,
                             .ignored = {{.json_paths = {".spec.a"}}}};
  const Value manifest = read(kThing);
  const Deed made = deed(manifest, apply, nullptr);
  ASSERT_TRUE(std::holds_alternative<ApplyObject>(made));
  const Value created = std::get<ApplyObject>(made).object;
  EXPECT_EQ(*created.find("spec"), read("{a: 1}"));

  Value there = live(kThing);
  there["spec"]["a"] = 9;
  const Deed changed = deed(manifest, apply, &there);
  ASSERT_TRUE(std::holds_alternative<ApplyObject>(changed));
  EXPECT_EQ(*std::get<ApplyObject>(changed).object.find("spec"), Value::object());

  there["metadata"]["annotations"] = *created.find_path({"metadata", "annotations"});
  EXPECT_TRUE(std::holds_alternative<Nothing>(deed(manifest, apply, &there)));
}

TEST(CheckManifest, SaysWhatIsMissing) {
  EXPECT_TRUE(check_manifest(read(kThing)).ok());
  EXPECT_EQ(check_manifest(read("{apiVersion: v1, metadata: {name: x}}")).error().message,
            R"(Object 'Kind' is missing in '{"apiVersion":"v1","metadata":{"name":"x"}}')");
  EXPECT_FALSE(check_manifest(read("{kind: A}")).ok());
  EXPECT_FALSE(check_manifest(read("{apiVersion: v1, kind: A, metadata: x}")).ok());
  EXPECT_FALSE(check_manifest(read("{apiVersion: v1, kind: A, metadata: {labels: x}}")).ok());
  EXPECT_FALSE(check_manifest(Value::array()).ok());
}

}  // namespace
}  // namespace berth::fleet
