#include "apiserver/defaults/rules.h"

#include <gtest/gtest.h>

#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using json::Value;

std::string applied(const RuleGroup& group, std::string_view yaml) {
  return json::print(apply_rules(group, json::read_one_yaml(yaml).value()));
}

TEST(Rules, FillInWhatIsAbsentNullOrEmpty) {
  static constexpr DefaultRule kRules[] = {{"text", "t"},
                                           {"number", 3},
                                           {"truth", false},
                                           {"object", kEmptyObject},
                                           {"list", one_of("e")}};
  constexpr RuleGroup kGroup = {.rules = kRules};
  EXPECT_EQ(applied(kGroup, "{}"),
            R"({"text":"t","number":3,"truth":false,"object":{},"list":["e"]})");
  EXPECT_EQ(applied(kGroup, "{text: '', number: null}"),
            R"({"text":"t","number":3,"truth":false,"object":{},"list":["e"]})");
  EXPECT_EQ(applied(kGroup, "{text: s, number: 0, truth: true, object: {a: 1}, list: []}"),
            R"({"text":"s","number":0,"truth":true,"object":{"a":1},"list":[]})");
}

TEST(Rules, AZeroMayCountAsNothing) {
  static constexpr DefaultRule kRules[] = {{.member = "a", .value = 7, .zero = Zero::IsMissing}};
  EXPECT_EQ(applied({.rules = kRules}, "a: 0"), R"({"a":7})");
  EXPECT_EQ(applied({.rules = kRules}, "a: 1"), R"({"a":1})");
}

TEST(Rules, LookAtTheMembersBeside) {
  static constexpr DefaultRule kRules[] = {{"update", kEmptyObject, if_equals("type", "Rolling")},
                                           {"limit", 9, if_present("index")},
                                           {"limit", 6},
                                           {"alone", true, if_missing("type")},
                                           {"copy", copy_of("type")}};
  EXPECT_EQ(applied({.rules = kRules}, "type: Rolling"),
            R"({"type":"Rolling","update":{},"limit":6,"copy":"Rolling"})");
  EXPECT_EQ(applied({.rules = kRules}, "index: 1"), R"({"index":1,"limit":9,"alone":true})");
}

TEST(Rules, ReachIntoObjectsAndListsThatAreThere) {
  static constexpr DefaultRule kPort[] = {{"protocol", "TCP"}};
  static constexpr RuleGroup kPortRules = {.rules = kPort};
  static constexpr Inclusion kIn[] = {{"containers[].ports[]", &kPortRules},
                                      {"one.two", &kPortRules}};
  constexpr RuleGroup kGroup = {.includes = kIn};
  EXPECT_EQ(
      applied(kGroup, "{containers: [{ports: [{a: 1}, {protocol: UDP}]}, {}], one: {two: {}}}"),
      R"({"containers":[{"ports":[{"a":1,"protocol":"TCP"},{"protocol":"UDP"}]},{}],)"
      R"("one":{"two":{"protocol":"TCP"}}})");
}

TEST(Rules, LeaveWhatIsOfAnotherTypeToValidation) {
  static constexpr DefaultRule kPort[] = {{"protocol", "TCP"}};
  static constexpr RuleGroup kPortRules = {.rules = kPort};
  static constexpr Inclusion kIn[] = {{"ports[]", &kPortRules}, {"one.two", &kPortRules}};
  constexpr RuleGroup kGroup = {.includes = kIn};
  EXPECT_EQ(applied(kGroup, "{ports: text, one: 3}"), R"({"ports":"text","one":3})");
  EXPECT_EQ(applied(kGroup, "{ports: [3, null], one: {two: []}}"),
            R"({"ports":[3,null],"one":{"two":[]}})");
  Value text = "text";
  EXPECT_EQ(object_under(text, "a"), nullptr);
  Value object = Value::object({{"a", 3}});
  EXPECT_EQ(object_under(object, "a"), nullptr);
  EXPECT_TRUE(object_under(object, "b")->is_object());
}

}  // namespace
}  // namespace berth::apiserver
