#include "apiserver/custom/definition_status.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

const Time kNow = Time::from_unix(1'800'000'000, 0);
const Time kLater = Time::from_unix(1'800'000'060, 0);

Value definition(std::string_view plural, std::string_view kind) {
  return Value::object(
      {{"metadata", Value::object({{"name", std::string(plural) + ".ex.io"}})},
       {"spec", Value::object({{"group", "ex.io"},
                               {"names", Value::object({{"plural", plural}, {"kind", kind}})},
                               {"versions",
                                Value::array({Value::object(
                                    {{"name", "v1"}, {"storage", true}, {"served", true}})})}})}});
}

std::string condition(const Value& object, std::string_view type) {
  for (const Value& it : object.find_path({"status", "conditions"})->elements()) {
    if (it.find("type")->string_or_empty() != type) continue;
    return std::string(it.find("status")->string_or_empty()) + " " +
           std::string(it.find("reason")->string_or_empty()) + " " +
           std::string(it.find("message")->string_or_empty());
  }
  return "none";
}

TEST(DefinitionStatus, EstablishesADefinitionWithoutConflicts) {
  const Value object = with_definition_status(definition("bars", "Bar"), {}, kNow);
  EXPECT_EQ(condition(object, "NamesAccepted"), "True NoConflicts no conflicts found");
  EXPECT_EQ(condition(object, "Established"),
            "True InitialNamesAccepted the initial names have been accepted");
  EXPECT_EQ(json::print(*object.find_path({"status", "acceptedNames"})),
            R"({"plural":"bars","singular":"bar","kind":"Bar","listKind":"BarList"})");
  EXPECT_EQ(json::print(*object.find_path({"status", "storedVersions"})), R"(["v1"])");
  EXPECT_EQ(with_definition_status(object, {}, kLater), object);
}

TEST(DefinitionStatus, RefusesNamesThatOthersOfTheGroupHave) {
  const Value taken = with_definition_status(definition("bars", "Bar"), {}, kNow);
  Value object = definition("bazes", "Bar");
  object["spec"]["names"]["shortNames"] = Value::array({Value("bars")});
  const std::vector<Definition> all = {read_definition(taken), read_definition(object)};
  const NamesInUse in_use = names_in_use(read_definition(object), all);
  object = with_definition_status(std::move(object), in_use, kNow);
  EXPECT_EQ(condition(object, "NamesAccepted"),
            R"(False ListKindConflict "BarList" is already in use)");
  EXPECT_EQ(condition(object, "Established"), "False NotAccepted not all names are accepted");
  EXPECT_EQ(json::print(*object.find_path({"status", "acceptedNames"})),
            R"({"plural":"bazes","kind":""})");

  // Once they are free, they are given.
  object = with_definition_status(std::move(object), {}, kLater);
  EXPECT_EQ(condition(object, "Established"),
            "True InitialNamesAccepted the initial names have been accepted");
}

TEST(DefinitionStatus, StaysEstablishedWhenANewNameIsTaken) {
  Value object = with_definition_status(definition("bars", "Bar"), {}, kNow);
  object["spec"]["names"]["shortNames"] = Value::array({Value("b"), Value("c")});
  NamesInUse in_use;
  in_use.resources = {"b", "c"};
  object = with_definition_status(std::move(object), in_use, kLater);
  EXPECT_EQ(condition(object, "NamesAccepted"),
            R"(False ShortNamesConflict ["b" is already in use, "c" is already in use])");
  EXPECT_TRUE(condition(object, "Established").starts_with("True"));
}

TEST(DefinitionStatus, RemembersVersionsThatObjectsWereStoredIn) {
  Value object = with_definition_status(definition("bars", "Bar"), {}, kNow);
  object["spec"]["versions"].elements()[0]["storage"] = false;
  object["spec"]["versions"].push_back(Value::object({{"name", "v2"}, {"storage", true}}));
  object = with_definition_status(std::move(object), {}, kLater);
  EXPECT_EQ(json::print(*object.find_path({"status", "storedVersions"})), R"(["v1","v2"])");
}

}  // namespace
}  // namespace berth::apiserver
