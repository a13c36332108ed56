#include "apiserver/objects/metadata_rules.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

json::Value object(std::string_view text) { return json::parse(text).value(); }

TEST(MetadataRules, ANewObjectSaysNothingAboutItsBirth) {
  json::Value made =
      object(R"({"metadata":{"name":"x","uid":"mine","generation":7,"deletionTimestamp":"t",)"
             R"("resourceVersion":"5"}})");
  stamp_new(made, {.now = Time(std::chrono::seconds(60)), .uid = "u"});
  EXPECT_EQ(json::print(made),
            R"({"metadata":{"name":"x","uid":"u","creationTimestamp":"1970-01-01T00:01:00Z"}})");
}

TEST(MetadataRules, GeneratedNamesFit) {
  Random random(1);
  const std::string name = generate_name(std::string(100, 'a'), random);
  EXPECT_EQ(name.size(), 63);
  EXPECT_NE(generate_name("a-", random), generate_name("a-", random));
}

TEST(MetadataRules, AnUpdateKeepsWhatIsTheServers) {
  json::Value changed = object(R"({"metadata":{"name":"x","generation":9,"uid":"other"}})");
  carry_over_metadata(changed,
                      object(R"({"metadata":{"uid":"u","creationTimestamp":"c","generation":2}})"));
  EXPECT_EQ(json::print(changed),
            R"({"metadata":{"name":"x","generation":2,"uid":"u","creationTimestamp":"c"}})");
}

TEST(MetadataRules, NothingIsNotKept) {
  json::Value made = object(
      R"({"metadata":{"name":"x","labels":{},"annotations":null,"finalizers":[],"ownerReferences":[]}})");
  drop_empty_metadata(made);
  EXPECT_EQ(json::print(made), R"({"metadata":{"name":"x"}})");
  made = object(R"({"metadata":{"labels":{"a":"b"},"finalizers":["f"]}})");
  drop_empty_metadata(made);
  EXPECT_EQ(json::print(made), R"({"metadata":{"labels":{"a":"b"},"finalizers":["f"]}})");
}

TEST(MetadataRules, FindsWhatIsWrong) {
  struct Case {
    std::string_view metadata;
    Scope scope;
    std::string_view message;  // Empty: nothing.
  };
  const Case cases[] = {
      {R"({"name":"x","namespace":"a"})", Scope::Namespaced, ""},
      {R"({"namespace":"a"})", Scope::Namespaced,
       "Required value: name or generateName is required"},
      {R"({"name":"x","namespace":"a"})", Scope::Cluster, "Forbidden: not allowed on this type"},
      {R"({"name":"x","labels":{"a b":"c"}})", Scope::Cluster, "Invalid value: \"a b\": "},
      {R"({"name":"x","labels":{"a":"b c"}})", Scope::Cluster, "Invalid value: \"b c\": "},
      {R"({"name":"x","finalizers":["a b"]})", Scope::Cluster, "Invalid value: \"a b\": "},
      {R"({"name":"x","ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n"}]})",
       Scope::Cluster, "Invalid value: \"\": must not be empty"},
  };
  for (const Case& c : cases) {
    json::Value made = json::Value::object({{"metadata", object(c.metadata)}});
    const auto causes = check_metadata(made, NameRule::Subdomain, c.scope);
    if (c.message.empty()) {
      EXPECT_TRUE(causes.empty()) << c.metadata;
    } else {
      ASSERT_FALSE(causes.empty()) << c.metadata;
      EXPECT_TRUE(causes[0].message.starts_with(c.message)) << causes[0].message;
    }
  }
}

TEST(MetadataRules, NamesOfRolesMayHaveColons) {
  const json::Value role = object(R"({"metadata":{"name":"system:a"}})");
  EXPECT_TRUE(check_metadata(role, NameRule::PathSegment, Scope::Cluster).empty());
  EXPECT_FALSE(check_metadata(role, NameRule::Subdomain, Scope::Cluster).empty());
  const json::Value bad = object(R"({"metadata":{"name":"a/b"}})");
  EXPECT_FALSE(check_metadata(bad, NameRule::PathSegment, Scope::Cluster).empty());
}

TEST(MetadataRules, ADyingObjectGetsNoNewFinalizers) {
  const json::Value old = object(R"({"metadata":{"name":"x","deletionTimestamp":"t",)"
                                 R"("finalizers":["a/b"]}})");
  const json::Value more = object(R"({"metadata":{"name":"x","finalizers":["a/b","c/d"]}})");
  const json::Value less = object(R"({"metadata":{"name":"x"}})");
  EXPECT_EQ(check_metadata_update(more, old)[0].reason, "FieldValueForbidden");
  EXPECT_TRUE(check_metadata_update(less, old).empty());
}

TEST(MetadataRules, OneOwnerIsNamedOnce) {
  json::Value made =
      object(R"({"metadata":{"ownerReferences":[{"uid":"a"},{"uid":"b"},{"uid":"a"}]}})");
  EXPECT_EQ(drop_repeated_owners(made).size(), 1);
  EXPECT_EQ(json::print(made), R"({"metadata":{"ownerReferences":[{"uid":"a"},{"uid":"b"}]}})");
}

}  // namespace
}  // namespace berth::apiserver
