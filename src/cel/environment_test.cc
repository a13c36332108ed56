#include "cel/environment.h"

#include <gtest/gtest.h>

#include "cel/program.h"
#include "cel/standard.h"
#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

TEST(Environment, MergesOverloadsOfOneName) {
  Environment environment;
  environment.add_function(
      {.name = "f", .overloads = {{.id = "a", .parameters = {}, .result = TypeKind::Int}}});
  environment.add_function(
      {.name = "f", .overloads = {{.id = "b", .parameters = {}, .result = TypeKind::Int}}});
  EXPECT_EQ(environment.find_function("f")->overloads.size(), 2U);
  EXPECT_EQ(environment.find_function("g"), nullptr);
}

TEST(Environment, HoldsExpressionsToTheFieldsOfItsStructs) {
  auto environment = std::make_shared<Environment>();
  add_standard_library(*environment);
  environment->add_struct({.name = "Spec", .fields = {{"replicas", TypeKind::Int}}});
  environment->add_variable("self", Type::structure("Spec"));
  testing::expect_issues(environment,
                         std::vector<testing::IssueCase>{
                             {"self.replica > 1", "1:5: undefined field 'replica'"},
                             {"self.replicas > 'a'",
                              "1:15: found no matching overload for '_>_' applied to '(int, "
                              "string)'"}});
  const auto program = compile(environment, "self.replicas > 1");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->result_type(), Type(TypeKind::Bool));
}

TEST(Environment, HasWhatItsBaseHas) {
  auto base = std::make_shared<Environment>();
  add_standard_library(*base);
  base->enable_cross_type_comparisons();
  base->add_struct({.name = "Spec", .fields = {{"replicas", TypeKind::Int}}});
  auto environment = std::make_shared<Environment>(base);
  environment->add_variable("self", Type::structure("Spec"));
  environment->add_variable("oldSelf", Type::structure("Spec"));
  const auto program = compile(environment, "self.replicas < 1.5 && type(1) == int");
  ASSERT_TRUE(program.ok()) << program.error().message;
  EXPECT_TRUE(program->uses_variable(0));
  EXPECT_FALSE(program->uses_variable(1));
  EXPECT_TRUE(compile(environment, "[1].all(x, x == oldSelf.replicas)")->uses_variable(1));
}

}  // namespace
}  // namespace berth::cel
