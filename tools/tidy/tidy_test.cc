#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tidy/budgets.h"
#include "tidy/layers.h"
#include "tidy/manners.h"
#include "tidy/purity.h"

namespace berth::tidy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> messages(const std::vector<Finding>& findings) {
  std::vector<std::string> result;
  for (const Finding& finding : findings) {
    result.push_back(std::to_string(finding.line) + ": " + finding.message);
  }
  return result;
}

std::vector<std::string> layer_findings(std::string path, std::string text) {
  const Layers layers =
      parse_layers("json:\napi: json\nplacement: api\nplacement+: env\napp: *\n").value();
  return messages(check_layers(make_source(std::move(path), std::move(text)), layers));
}

TEST(Layers, LowerFoldersMayBeIncludedAndHigherOnesNot) {
  EXPECT_THAT(layer_findings("src/api/x.cc", "#include \"json/value.h\"\n"), IsEmpty());
  EXPECT_THAT(layer_findings("src/api/x.cc", "#include \"base/time.h\"\n"), IsEmpty());
  EXPECT_THAT(layer_findings("src/app/x.cc", "#include \"placement/plan.h\"\n"), IsEmpty());
  EXPECT_THAT(layer_findings("src/json/x.cc", "\n#include \"api/quantity.h\"\n"),
              ElementsAre("2: 'json' may not include 'api' (see layers.txt)"));
  EXPECT_THAT(layer_findings("src/strange/x.cc", ""),
              ElementsAre("1: folder 'strange' is not in layers.txt"));
}

TEST(Layers, OnlyShellsReachTheSeam) {
  const std::string text = "#include \"env/clock.h\"\n";
  EXPECT_THAT(layer_findings("src/placement/placement_controller.cc", text), IsEmpty());
  EXPECT_THAT(layer_findings("src/placement/placement_controller_test.cc", text), IsEmpty());
  EXPECT_THAT(layer_findings("src/placement/plan.cc", text),
              ElementsAre("1: 'placement' may not include 'env' (see layers.txt)"));
}

TEST(Layers, PureCodeIncludesNoShellWhateverFolderItMayInclude) {
  const std::string text = "#include \"api/x_service.h\"\n#include \"api/x.h\"\n";
  EXPECT_THAT(layer_findings("src/placement/plan.cc", text),
              ElementsAre("1: pure code may not include the shell 'api/x_service.h'"));
  EXPECT_THAT(layer_findings("src/placement/x_service.cc", text), IsEmpty());
  EXPECT_THAT(layer_findings("src/placement/plan_test.cc", text), IsEmpty());
  EXPECT_THAT(layer_findings("src/app/x.cc", text), IsEmpty());
  EXPECT_THAT(layer_findings("src/placement/plan.cc", "#include \"placement/x_controller.h\"\n"),
              ElementsAre("1: pure code may not include the shell 'placement/x_controller.h'"));
}

std::vector<std::string> purity_findings(std::string text) {
  return messages(check_purity(make_source("src/json/x.cc", std::move(text))));
}

TEST(Purity, RefusesWhatDependsOnMoreThanTheArguments) {
  for (const std::string bad :
       {"#include <mutex>", "auto t = system_clock::now();", "int x = rand();",
        "std::getenv(name);", "static int counter = 0;", "thread_local Buffer buffer;", "throw 1;",
        "std::set<Node*> nodes;", "#include <random>", "auto* p = dynamic_cast<A*>(b);"}) {
    EXPECT_EQ(purity_findings(bad).size(), 1u) << bad;
  }
}

TEST(Purity, AcceptsWhatOnlyLooksLikeIt) {
  for (const std::string good :
       {"// never call now() or rand()", "const char* s = \"::now(\";",
        "static constexpr int kMax = 3;", "static Value array();", "Time time(Object o);",
        "static const RE2 kPattern(x);", "void run_time(int x);", "static_assert(true);",
        "std::map<std::string, Node*> nodes;"}) {
    EXPECT_THAT(purity_findings(good), IsEmpty()) << good;
  }
}

TEST(Purity, RefusesToDependOnHashOrder) {
  EXPECT_THAT(purity_findings("boost::unordered_flat_map<int, int> seen;\n"
                              "for (const auto& [a, b] : seen) use(a);\n"),
              ElementsAre("2: the order of unordered 'seen' must not matter: sort first"));
  EXPECT_THAT(purity_findings("std::map<int, int> seen;\nfor (auto& x : seen) use(x);\n"),
              IsEmpty());
}

TEST(Purity, LeavesTheWorldsAlone) {
  EXPECT_THAT(check_purity(make_source("src/runtime/x.cc", "#include <mutex>\n")), IsEmpty());
}

std::string function_of(int lines) {
  std::string text = "int f(\n    int a) {\n";
  for (int i = 0; i < lines; ++i) text += "  g({1});\n";
  return text + "}\n";
}

TEST(Budgets, LimitFunctionsAndFiles) {
  EXPECT_THAT(check_budgets(make_source("src/json/x.cc", function_of(70))), IsEmpty());
  EXPECT_THAT(messages(check_budgets(make_source("src/json/x.cc", function_of(71)))),
              ElementsAre("2: function 'f' has 71 lines; at most 70"));
  EXPECT_THAT(messages(check_budgets(make_source("src/json/x.cc", std::string(501, '\n')))),
              ElementsAre("500: the file has 501 lines; at most 500"));
}

TEST(Budgets, CountWholeFunctionsInsideClassesAndNamespaces) {
  std::string body;
  for (int i = 0; i < 80; ++i) body += "    g();\n";
  const std::string text = "namespace a {\nclass B {\n  void h() {\n" + body + "  }\n};\n}\n";
  EXPECT_THAT(messages(check_budgets(make_source("src/json/x.cc", text))),
              ElementsAre("3: function 'h' has 80 lines; at most 70"));
}

TEST(Budgets, LimitTheMethodsOfAnInterface) {
  std::string text = "class Wide {\n";
  for (int i = 0; i < 16; ++i) text += "  virtual void f() = 0;\n";
  EXPECT_THAT(messages(check_budgets(make_source("src/json/x.h", text + "};\n"))),
              ElementsAre("1: interface 'Wide' has 16 methods; at most 15"));
}

TEST(Manners, HeadersSayTheirPurpose) {
  EXPECT_THAT(check_manners(make_source("src/json/x.h", "// Why.\n\n#pragma once\n")), IsEmpty());
  EXPECT_EQ(check_manners(make_source("src/json/x.h", "int x;\n")).size(), 2u);
}

TEST(Manners, NothingUnfinishedAndNothingExotic) {
  for (const std::string bad : {"// TO"
                                "DO: later",
                                "\tint x;", "int x; ", "// caf\xc3\xa9", "using namespace std;"}) {
    EXPECT_EQ(check_manners(make_source("src/json/x.cc", bad + "\n")).size(), 1u) << bad;
  }
  EXPECT_THAT(check_manners(make_source("x.cc", "using namespace std::chrono_literals;\n")),
              IsEmpty());
}

TEST(Neighbours, CodeHasATestAndHeadersHaveReaders) {
  const std::vector<Source> sources = {make_source("src/json/a.h", ""),
                                       make_source("src/json/a.cc", "#include \"json/a.h\"\n"),
                                       make_source("src/json/b.cc", "// Tested by c_test.cc.\n"),
                                       make_source("src/json/c_test.cc", "")};
  EXPECT_THAT(messages(check_neighbours(sources)),
              ElementsAre("1: nobody but tests includes this header",
                          "1: has no test: expected src/json/a_test.cc"));
}

TEST(Neighbours, TestsAreNoReadersOfWhatIsNotForThem) {
  const auto findings = [](const std::string& header, const std::string& reader) {
    return check_neighbours({make_source("src/" + header, ""),
                             make_source(reader, "#include \"" + header + "\"\n")})
        .size();
  };
  EXPECT_EQ(findings("json/a.h", "src/json/a_test.cc"), 1u);
  EXPECT_EQ(findings("json/a.h", "src/cel/b_test.cc"), 1u);
  EXPECT_EQ(findings("json/a.h", "tests/kube/b.cc"), 1u);
  EXPECT_EQ(findings("json/a.h", "bench/b_bench.cc"), 0u);
  EXPECT_EQ(findings("json/testing/a.h", "src/json/b_test.cc"), 0u);
  EXPECT_EQ(findings("suites/a.h", "src/suites/a_test.cc"), 0u);
}

TEST(Links, MustLeadSomewhere) {
  const std::set<std::string> paths = {"docs/a.md", "src/json/value.h"};
  const auto check = [&](std::string text) {
    return messages(check_links(make_source("docs/b.md", std::move(text)), paths));
  };
  EXPECT_THAT(check("[a](a.md#part) [web](https://example.org) [top](#b) `src/json/value.h`"),
              IsEmpty());
  EXPECT_THAT(check("[a](../docs/nothing.md)"), Contains("1: dead link '../docs/nothing.md'"));
  EXPECT_THAT(check("`src/json/gone.h`"), Contains("1: there is no 'src/json/gone.h'"));
}

}  // namespace
}  // namespace berth::tidy
