#include "apiserver/tables/row_printer.h"

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

// Knows plain paths only; a path that ends in "[*]" finds all elements.
std::vector<const json::Value*> find(std::string_view path, const json::Value& object) {
  path.remove_prefix(1);
  if (path.ends_with("[*]")) {
    std::vector<const json::Value*> found;
    path.remove_suffix(3);
    for (const json::Value& element : at(object, path).elements()) found.push_back(&element);
    return found;
  }
  const json::Value& value = at(object, path);
  return value.is_null() ? std::vector<const json::Value*>{} : std::vector{&value};
}

TEST(RowPrinter, ShowsTheColumnsThatADefinitionDeclares) {
  const auto printer =
      RowPrinter::custom({{.name = "Color", .json_path = ".spec.color"},
                          {.name = "Size", .type = "integer", .json_path = ".spec.size"},
                          {.name = "Missing", .json_path = ".spec.nothing"},
                          {.name = "First", .priority = 1, .json_path = ".spec.many[*]"}},
                         find);
  const json::Value object =
      testing::object_of("{metadata: {name: it}, spec: {color: red, size: 4, many: [a, b]}}");
  EXPECT_EQ(printer.row(object, Time{}).cells,
            (std::vector<json::Value>{"it", "red", 4, nullptr, "a"}));
  ASSERT_EQ(printer.columns().size(), 5u);
  EXPECT_EQ(printer.columns()[0].format, "name");
  EXPECT_EQ(printer.columns()[4].priority, 1);
}

TEST(RowPrinter, ShowsTheAgeWhenADefinitionDeclaresNothing) {
  const auto printer = RowPrinter::custom({}, find);
  const json::Value object =
      testing::object_of("metadata: {name: it, creationTimestamp: '1970-01-01T00:00:00Z'}");
  EXPECT_EQ(printer.row(object, Time{5s}).cells, (std::vector<json::Value>{"it", "5s"}));
  EXPECT_EQ(printer.columns()[1].name, "Age");
  EXPECT_EQ(printer.columns()[1].type, "date");
}

TEST(RowPrinter, DescribesTheColumnsOfBuiltInKinds) {
  const auto printer = RowPrinter::builtin("", "Pod");
  ASSERT_EQ(printer.columns().size(), 9u);
  EXPECT_EQ(printer.columns()[1].name, "Ready");
  EXPECT_EQ(printer.columns()[5].priority, 1);
}

}  // namespace
}  // namespace berth::apiserver
