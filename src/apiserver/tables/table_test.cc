#include "apiserver/tables/table.h"

#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kText =
    R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","resourceVersion":"7"}})";
constexpr std::string_view kPartial =
    R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)"
    R"("metadata":{"name":"a","resourceVersion":"7"}})";

const RowPrinter kNamespaces = RowPrinter::builtin("", "Namespace");

TEST(Table, IsWrittenAsKubectlReadsIt) {
  TableWriter writer(kNamespaces, {},
                     {.resource_version = "9", .continue_token = "next", .remaining_items = 3});
  ASSERT_TRUE(writer.add_text(kText).ok());
  ASSERT_TRUE(writer.add_text(kText).ok());
  const std::string row =
      R"({"cells":["a","","<unknown>"],"object":)" + std::string(kPartial) + "}";
  EXPECT_EQ(
      std::move(writer).finish(),
      R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9",)"
      R"("continue":"next","remainingItemCount":3},"columnDefinitions":[)"
      R"({"name":"Name","type":"string","format":"name","description":"","priority":0},)"
      R"({"name":"Status","type":"string","format":"","description":"","priority":0},)"
      R"({"name":"Age","type":"string","format":"","description":"","priority":0}],"rows":[)" +
          row + "," + row + "]}");
}

TEST(Table, OfNothingHasNoRows) {
  TableWriter writer(kNamespaces, {.header = TableHeader::Without}, {});
  EXPECT_EQ(std::move(writer).finish(),
            R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},)"
            R"("columnDefinitions":null,"rows":[]})");
}

TEST(Table, CarriesAsMuchOfTheObjectAsIsAskedFor) {
  struct Case {
    std::string_view parameter;
    std::string_view object;
  };
  const Case cases[] = {
      {"None", "null"}, {"", kPartial}, {"Metadata", kPartial}, {"Object", kText}};
  for (const Case& c : cases) {
    const TableForm form = {.include = parse_include_object(c.parameter).value(),
                            .header = TableHeader::Without};
    const std::string expected =
        R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},)"
        R"("columnDefinitions":null,"rows":[{"cells":["a","","<unknown>"],"object":)" +
        std::string(c.object) + "}]}";
    EXPECT_EQ(print_table(kNamespaces, json::parse(kText).value(), form), expected);
    TableWriter writer(kNamespaces, form, {.resource_version = "7"});
    ASSERT_TRUE(writer.add_text(kText).ok());
    EXPECT_EQ(std::move(writer).finish(), expected);
  }
}

TEST(Table, TellsOfRowsThatAreOver) {
  const std::string text =
      print_table(RowPrinter::builtin("", "Pod"), testing::object_of("status: {phase: Failed}"),
                  {.include = IncludeObject::None});
  EXPECT_NE(text.find(R"("conditions":[{"type":"Completed","status":"True","reason":"Failed",)"),
            std::string::npos);
}

TEST(Table, RefusesWhatItCannotShow) {
  EXPECT_EQ(parse_include_object("All").error().code, Code::BadRequest);
  TableWriter writer(kNamespaces, {}, {});
  EXPECT_FALSE(writer.add_text("{").ok());
}

}  // namespace
}  // namespace berth::apiserver
