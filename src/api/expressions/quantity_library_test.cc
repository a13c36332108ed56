#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(QuantityLibrary, ComparesAndAddsAmounts) {
  const ExpressionCase cases[] = {
      {R"(quantity("1Gi"))", "1Gi", 1},
      {R"(quantity("x"))",
       "!quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
       1},
      {R"(isQuantity("1.5Gi"))", "true", 1},
      {R"(isQuantity("1.5Gx"))", "false", 1},
      {R"(quantity("1500m").asInteger())", "!cannot convert value to integer", 2},
      {R"(quantity("2").asInteger())", "2", 2},
      {R"(quantity("1500m").isInteger())", "false", 2},
      {R"(quantity("2k").isInteger())", "true", 2},
      {R"(quantity("1500m").asApproximateFloat())", "1.5", 2},
      {R"(sign(quantity("-5")))", "-1", 2},
      {R"(quantity("1Gi").isGreaterThan(quantity("1G")))", "true", 3},
      {R"(quantity("1Gi").isLessThan(quantity("1G")))", "false", 3},
      {R"(quantity("1Gi").compareTo(quantity("1024Mi")))", "0", 3},
      {R"(quantity("1Gi").add(quantity("1Gi")) == quantity("2Gi"))", "true", 5},
      {R"(quantity("50k").add(20))", "50020", 2},
      {R"(quantity("50k").sub(20000) == quantity("30k"))", "true", 4},
      {R"(quantity("50k").sub(quantity("20k")).asInteger())", "30000", 4},
      {R"(quantity("1") == quantity("1000m"))", "true", 3},
      {R"(quantity("1Gi").compareTo(quantity("1024Mi")))", "0", 3},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
