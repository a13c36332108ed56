// What must hold of apply for any configurations of any managers.

#include <array>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/apply/field_manager.h"
#include "apiserver/apply/field_set_of.h"
#include "apiserver/apply/managed_fields.h"
#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using json::Value;
using testing::json_of;
using testing::ThingType;

Value draw_spec() {
  static constexpr std::array<std::string_view, 14> kParts = {
      R"("n":1)",
      R"("n":2)",
      R"("s":"x")",
      R"("atomic":["a"])",
      R"("set":["a","b"])",
      R"("set":["c","b"])",
      R"("ports":[{"port":80},{"port":80,"protocol":"UDP","name":"x"}])",
      R"("ports":[{"port":80,"name":"y"}])",
      R"("named":[{"name":"a","v":1}])",
      R"("nested":{"a":"x"})",
      R"("nested":{"b":"x"})",
      R"("whole":{"a":"x"})",
      R"("texts":{"k":"x"})",
      R"("free":{"x":{"y":1},"z":[1]})"};
  std::string text;
  for (const std::string_view part : kParts) {
    if (*rc::gen::inRange(0, 3) != 0) continue;
    text += text.empty() ? "{" : ",";
    text += part;
  }
  return json_of(text.empty() ? "{}" : text + "}");
}

struct World {
  ThingType thing = {};
  std::optional<Value> live = std::nullopt;
  int seconds = 1;

  Value configuration(Value spec) const {
    Value applied = json_of(R"({"apiVersion":"ex.io/v1","kind":"Thing","metadata":{"name":"a"}})");
    applied["spec"] = std::move(spec);
    return applied;
  }

  void apply(const std::string& manager, const Value& spec) {
    auto result = apiserver::apply(live ? &*live : nullptr, configuration(spec), *thing.schema.root,
                                   {.manager = manager,
                                    .api_version = "ex.io/v1",
                                    .kind = "Thing",
                                    .force = true,
                                    .now = Time::from_unix(seconds++)});
    RC_ASSERT(result.ok());
    live = *std::move(result);
  }

  ManagedFields owners() const {
    return decode_managed_fields(live->find_path({"metadata", "managedFields"})).value();
  }
};

RC_GTEST_PROP(FieldManagerProperty, ApplyingAgainChangesNothing, ()) {
  World world;
  world.apply("ann", draw_spec());
  world.apply("bob", draw_spec());
  const Value spec = draw_spec();
  world.apply("ann", spec);
  const Value once = *world.live;
  world.apply("ann", spec);
  RC_ASSERT(*world.live == once);
}

RC_GTEST_PROP(FieldManagerProperty, WhoAppliesOwnsExactlyWhatTheConfigurationNames, ()) {
  World world;
  world.apply("ann", draw_spec());
  const Value spec = draw_spec();
  world.apply("bob", spec);
  const FieldSet named = field_set_of(spec, world.thing.type.member("spec"));
  ManagedFields owners = world.owners();
  const ManagedEntry* bob =
      find_manager(owners, {.manager = "bob", .operation = Operation::Apply, .api_version = ""});
  RC_ASSERT(bob);
  const FieldSet::Node* owned = bob->fields.find(PathElement::field("spec"));
  RC_ASSERT(owned && owned->children == named);
}

RC_GTEST_PROP(FieldManagerProperty, NothingIsLeftWithoutAnOwner, ()) {
  World world;
  for (const char* const manager : {"ann", "bob", "ann", "zoe"}) world.apply(manager, draw_spec());
  FieldSet owned;
  for (const ManagedEntry& entry : world.owners()) owned = unite(std::move(owned), entry.fields);
  const FieldSet leaves =
      leaves_of(field_set_of(*world.live->find("spec"), world.thing.type.member("spec")));
  const FieldSet::Node* spec = owned.find(PathElement::field("spec"));
  RC_ASSERT(leaves.is_empty() || spec);
  if (spec) RC_ASSERT(subtract(leaves, spec->children).is_empty());
}

RC_GTEST_PROP(FieldManagerProperty, TakingBackWhatOneAppliedRestoresTheObject, ()) {
  World world;
  world.apply("ann", draw_spec());
  const Value before = *world.live->find("spec");
  // Only what is new to the object: what somebody owns already would be taken away for good.
  Value extra = Value::object({{"truth", true}, {"any", json_of(R"({"deep":{"x":1}})")}});
  world.apply("bob", extra);
  RC_ASSERT(*world.live->find("spec") != before);
  world.apply("bob", Value::object());
  RC_ASSERT(*world.live->find("spec") == before);
}

}  // namespace
}  // namespace berth::apiserver
