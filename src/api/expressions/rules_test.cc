#include "api/expressions/rules.h"

#include <gtest/gtest.h>

#include "cel/program.h"

namespace berth::api {
namespace {

TEST(RuleLibraries, OfferWhatKubernetesOffers) {
  auto environment = std::make_shared<cel::Environment>(rule_libraries());
  environment->add_variable("self", cel::TypeKind::Int);
  for (const char* text :
       {"[1, 2].isSorted() && [1].sum() == 1 && [3].max() == 3", "'a1'.find('[0-9]') == '1'",
        "url('https://a/b').getHost() == 'a'", "quantity('1Gi').isGreaterThan(quantity('1Mi'))",
        "ip('10.0.0.1').family() == 4", "cidr('10.0.0.0/8').containsIP('10.1.1.1')",
        "!format.dns1123Label().validate('a').hasValue()", "sets.contains([1, 2], [1])",
        "semver('v1.2', true).major() == 1", "optional.of(1).hasValue()", "'A'.lowerAscii() == 'a'",
        "self < 1.5", "'%d'.format([1]) == '1'"}) {
    SCOPED_TRACE(text);
    const auto program = cel::compile(environment, text);
    ASSERT_TRUE(program.ok()) << program.error().message;
    cel::Arena arena;
    EXPECT_TRUE(program->evaluate(std::vector{cel::Value::integer(1)}, arena).value.is_true());
  }
}

}  // namespace
}  // namespace berth::api
