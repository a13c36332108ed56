#include "apiserver/tables/custom_cell.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

TEST(CustomCell, ConvertsByTheTypeOfTheColumn) {
  struct Case {
    std::string_view type;
    std::string_view value;
    std::string_view cell;
  };
  const Case cases[] = {
      {"string", R"("a")", R"("a")"},
      {"string", "true", R"("true")"},
      {"string", "3", R"("3")"},
      {"string", "3.0", R"("3")"},
      {"string", "1e3", R"("1000")"},
      {"string", "1.5", R"("1.5")"},
      {"string", "0.0001", R"("0.0001")"},
      {"string", "0.00001", R"("1e-05")"},
      {"string", "1e21", R"("1e+21")"},
      {"string", "null", R"("<no value>")"},
      {"string", R"({"b":1,"a":["x",2.0]})", R"("{\"a\":[\"x\",2],\"b\":1}")"},
      {"string", R"(["<"])", R"("[\"\\u003c\"]")"},
      {"integer", "3", "3"},
      {"integer", "3.9", "3"},
      {"integer", "-3.9", "-3"},
      {"integer", "1e30", "null"},
      {"integer", R"("3")", "null"},
      {"number", "3", "3"},
      {"number", "1.5", "1.5"},
      {"number", R"("1.5")", "null"},
      {"boolean", "true", "true"},
      {"boolean", R"("true")", "null"},
      {"date", R"("1970-01-01T00:00:10Z")", R"("60s")"},
      {"date", R"("1970-01-01T00:01:20Z")", R"("<invalid>")"},
      {"date", R"("yesterday")", R"("<invalid>")"},
      {"date", R"("")", R"("<unknown>")"},
      {"date", "7", "null"},
      {"date", "null", "null"},
      {"unheard-of", "7", "null"},
  };
  for (const Case& c : cases) {
    const json::Value value = json::parse(c.value).value();
    EXPECT_EQ(json::print(custom_cell(c.type, value, Time{70s})), c.cell) << c.type << c.value;
  }
}

}  // namespace
}  // namespace berth::apiserver
