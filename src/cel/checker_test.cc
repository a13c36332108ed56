#include "cel/checker.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_issues;
using testing::IssueCase;
using testing::language_environment;

TEST(Checker, ReportsWhatTheReferenceReports) {
  const IssueCase cases[] = {
      {"dyn([1]) < [2]",
       "1:10: found no matching overload for '_<_' applied to '(dyn, list(int))'"},
      {R"(dyn("a") - "b")",
       "1:10: found no matching overload for '_-_' applied to '(dyn, string)'"},
      {R"(dyn(1) / "a")", "1:8: found no matching overload for '_/_' applied to '(dyn, string)'"},
      {R"(has({"a": 1}.a.b))", "1:4: type 'int' does not support field selection"},
      {"has(1)", "1:5: invalid argument to has() macro"},
      {R"(size(b"h\u00e9"))", "1:6: unable to unescape string"},
      {R"("a".contains(1))",
       "1:13: found no matching overload for 'contains' applied to 'string.(int)'"},
      {R"(1.contains("a"))",
       "1:11: found no matching overload for 'contains' applied to 'int.(string)'"},
      {"int(true)", "1:4: found no matching overload for 'int' applied to '(bool)'"},
      {"string([1])", "1:7: found no matching overload for 'string' applied to '(list(int))'"},
      {"1.all(x, true)",
       "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or "
       "dynamic)"},
      {R"("abc".map(x, x))",
       "1:1: expression of type 'string' cannot be range of a comprehension (must be list, map, or "
       "dynamic)"},
      {"[1].all(1, true)", "1:9: argument must be a simple name"},
      {"[1].map(a.b, true)", "1:10: argument is not an identifier"},
      {"[1].filter(1, true)", "1:12: argument is not an identifier"},
      {R"([1].exists("x", true))", "1:12: argument must be a simple name"},
      {"[1].exists_one(x.y, true)", "1:17: argument must be a simple name"},
      {"[1].all(x, 1)", "1:12: expected type 'bool' but found 'int'"},
      {"[1].filter(x, 1)",
       "1:11: found no matching overload for '_?_:_' applied to '(int, list(int), list(int))'"},
      {"[1].map(x, y)", "1:12: undeclared reference to 'y' (in container '')"},
      {"[1].all(x, x.y == 1)", "1:13: type 'int' does not support field selection"},
      {"[?1]", "1:3: expected type 'optional_type(int)' but found 'int'"},
      {R"({?"a": 1})", "1:8: expected type 'optional_type(int)' but found 'int'"},
      {"optional.of(1).optMap(x.y, 1)", "1:24: optMap() variable name must be a simple identifier"},
      {"1.orValue(2)", "1:10: found no matching overload for 'orValue' applied to 'int.(int)'"},
      {"[1].join()", "1:9: found no matching overload for 'join' applied to 'list(int).()'"},
      {R"("%s and %s".format([1]))", "1:19: index 1 out of range"},
      {R"("abc".charAt("a"))",
       "1:13: found no matching overload for 'charAt' applied to 'string.(string)'"},
      {R"("abc".foo())", "1:10: undeclared reference to 'foo' (in container '')"},
      {R"(strings.foo("a"))",
       "1:1: undeclared reference to 'strings' (in container '')\n1:12: undeclared reference to "
       "'foo' (in container '')"},
      {"ManagedCluster.x", "1:1: undeclared reference to 'ManagedCluster' (in container '')"},
      {"cel.bind(x, 1, x)",
       "1:1: undeclared reference to 'cel' (in container '')\n1:9: undeclared reference to 'bind' "
       "(in container '')\n1:10: undeclared reference to 'x' (in container '')\n1:16: undeclared "
       "reference to 'x' (in container '')"},
      {"math.greatest(1, 2)",
       "1:1: undeclared reference to 'math' (in container '')\n1:14: undeclared reference to "
       "'greatest' (in container '')"},
      {"sets.contains([1], [1])",
       "1:1: undeclared reference to 'sets' (in container '')\n1:14: found no matching overload "
       "for 'contains' applied to '!error!.(list(int), list(int))'"},
      {R"(base64.encode(b"a"))",
       "1:1: undeclared reference to 'base64' (in container '')\n1:14: undeclared reference to "
       "'encode' (in container '')"},
      {"[1].transformList(i, v, v)",
       "1:18: undeclared reference to 'transformList' (in container '')\n1:19: undeclared "
       "reference to 'i' (in container '')\n1:22: undeclared reference to 'v' (in container "
       "'')\n1:25: undeclared reference to 'v' (in container '')"},
      {"[1].all(i, v, true)",
       "1:8: undeclared reference to 'all' (in container '')\n1:9: undeclared reference to 'i' (in "
       "container '')\n1:12: undeclared reference to 'v' (in container '')"},
      {"authorizer", "1:1: undeclared reference to 'authorizer' (in container '')"},
      {R"(1 == "a")", "1:3: found no matching overload for '_==_' applied to '(int, string)'"},
      {R"(1 + "a")", "1:3: found no matching overload for '_+_' applied to '(int, string)'"},
      {"1 + 1u", "1:3: found no matching overload for '_+_' applied to '(int, uint)'"},
      {R"(1 < "a")", "1:3: found no matching overload for '_<_' applied to '(int, string)'"},
      {R"("a" * 2)", "1:5: found no matching overload for '_*_' applied to '(string, int)'"},
      {"!1", "1:1: found no matching overload for '!_' applied to '(int)'"},
      {R"(-"a")", "1:1: found no matching overload for '-_' applied to '(string)'"},
      {"-true", "1:1: found no matching overload for '-_' applied to '(bool)'"},
      {"true && 1", "1:9: expected type 'bool' but found 'int'"},
      {R"("a" || true)", "1:1: expected type 'bool' but found 'string'"},
      {"1 ? 2 : 3", "1:3: found no matching overload for '_?_:_' applied to '(int, int, int)'"},
      {R"(true ? 1 : "a")",
       "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'"},
      {R"([1, 2]["a"])",
       "1:7: found no matching overload for '_[_]' applied to '(list(int), string)'"},
      {R"({"a": 1}[1])",
       "1:9: found no matching overload for '_[_]' applied to '(map(string, int), int)'"},
      {"1[0]", "1:2: found no matching overload for '_[_]' applied to '(int, int)'"},
      {"1.foo", "1:2: type 'int' does not support field selection"},
      {R"("a".b)", "1:4: type 'string' does not support field selection"},
      {"true.x", "1:5: type 'bool' does not support field selection"},
      {"null.x", "1:5: type 'null' does not support field selection"},
      {"[1].x", "1:4: type 'list(int)' does not support field selection"},
      {"1 in 2", "1:3: found no matching overload for '@in' applied to '(int, int)'"},
      {R"("a" in [1])",
       "1:5: found no matching overload for '@in' applied to '(string, list(int))'"},
      {"size(1)", "1:5: found no matching overload for 'size' applied to '(int)'"},
      {"type(1, 2)", "1:5: found no matching overload for 'type' applied to '(int, int)'"},
      {"int()", "1:4: found no matching overload for 'int' applied to '()'"},
      {R"("a".contains())",
       "1:13: found no matching overload for 'contains' applied to 'string.()'"},
      {R"("a".startsWith(1))",
       "1:15: found no matching overload for 'startsWith' applied to 'string.(int)'"},
      {"timestamp(1.5)", "1:10: found no matching overload for 'timestamp' applied to '(double)'"},
      {"duration(1)", "1:9: found no matching overload for 'duration' applied to '(int)'"},
      {"x", "1:1: undeclared reference to 'x' (in container '')"},
      {"x.y", "1:1: undeclared reference to 'x' (in container '')"},
      {"x.y.z()",
       "1:1: undeclared reference to 'x' (in container '')\n1:6: undeclared reference to 'z' (in "
       "container '')"},
      {"x(1)", "1:2: undeclared reference to 'x' (in container '')"},
      {".x", "1:2: undeclared reference to '.x' (in container '')"},
      {"a.b.c.d(1)",
       "1:1: undeclared reference to 'a' (in container '')\n1:8: undeclared reference to 'd' (in "
       "container '')"},
      {"[1, 2, 3].map(x, x + y)", "1:22: undeclared reference to 'y' (in container '')"},
      {"has(x.y)", "1:5: undeclared reference to 'x' (in container '')"},
      {"optional.of(x)", "1:13: undeclared reference to 'x' (in container '')"},
      {"optional.foo(1)",
       "1:1: undeclared reference to 'optional' (in container '')\n1:13: undeclared reference to "
       "'foo' (in container '')"},
      {"1.optMap(x, x)",
       "1:9: found no matching overload for 'hasValue' applied to 'int.()'\n1:9: found no matching "
       "overload for 'value' applied to 'int.()'"},
      {R"([1].all(x, x == "a"))",
       "1:14: found no matching overload for '_==_' applied to '(int, string)'"},
      {R"([1].map(x, x < "a"))",
       "1:14: found no matching overload for '_<_' applied to '(int, string)'"},
      {"1u == 1", "1:4: found no matching overload for '_==_' applied to '(uint, int)'"},
      {"1.0 == 1u", "1:5: found no matching overload for '_==_' applied to '(double, uint)'"},
      {R"(timestamp("2024-01-01T00:00:00Z") == 1)",
       "1:35: found no matching overload for '_==_' applied to '(timestamp, int)'"},
      {"null == 1", "1:6: found no matching overload for '_==_' applied to '(null, int)'"},
      {R"(null == "a")", "1:6: found no matching overload for '_==_' applied to '(null, string)'"},
      {"[null] == [1]",
       "1:8: found no matching overload for '_==_' applied to '(list(null), list(int))'"},
      {R"(duration("1s") + 1)",
       "1:16: found no matching overload for '_+_' applied to '(duration, int)'"},
      {R"(b"a" == "a")", "1:6: found no matching overload for '_==_' applied to '(bytes, string)'"},
      {"string(int)", "1:7: found no matching overload for 'string' applied to '(type(int))'"},
      {"1 < 2.0", "1:3: found no matching overload for '_<_' applied to '(int, double)'"},
      {"xxxx.expression", "1:1: undeclared reference to 'xxxx' (in container '')"},
      {"1 +", "1:4: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"(1", "1:3: Syntax error: missing ')' at '<EOF>'"},
      {"1 2", "1:3: Syntax error: extraneous input '2' expecting <EOF>"},
      {")", "1:1: Syntax error: mismatched input ')' expecting <expression>"},
      {"[1,", "1:4: Syntax error: missing ']' at '<EOF>'"},
      {"{1:", "1:4: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"a.", "1:3: Syntax error: no viable alternative at input '.'"},
      {"@",
       "1:1: Syntax error: token recognition error at: '@'\n1:2: Syntax error: mismatched input "
       "'<EOF>' expecting <expression>"},
      {R"("abc)",
       "1:1: Syntax error: token recognition error at: '\"abc'\n1:5: Syntax error: mismatched "
       "input '<EOF>' expecting <expression>"},
      {"'abc' + ", "1:9: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"1 == 1.0", "1:3: found no matching overload for '_==_' applied to '(int, double)'"},
      {"[1,2].existsOne(x, x==1)",
       "1:16: undeclared reference to 'existsOne' (in container '')\n1:17: undeclared reference to "
       "'x' (in container '')\n1:20: undeclared reference to 'x' (in container '')"},
      {R"("%d".format(["a"]))",
       "1:14: error during formatting: decimal clause can only be used on ints, uints, and "
       "doubles, was given string"},
      {R"("%s %s".format(["a"]))", "1:15: index 1 out of range"},
      {R"("%s".format(["a","b"]))",
       "1:12: too many arguments supplied to string.format (expected 1, got 2)"},
      {R"("%q".format([1]))",
       R"(1:12: could not parse formatting clause: unrecognized formatting clause "q")"},
      {R"("%".format([1]))", "1:11: unexpected end of string"},
      {R"("%.f".format([1.0]))",
       R"(1:13: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax)"},
      {R"("%.101f".format([1.0]))",
       "1:16: could not parse formatting clause: error while parsing precision: precision 101 "
       "exceeds maximum allowed precision 100"},
      {R"("%.x".format([1.0]))",
       R"(1:13: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax)"},
      {R"("%s".format([optional.of(1)]))",
       "1:25: error during formatting: string clause can only be used on strings, bools, bytes, "
       "ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type"},
  };
  expect_issues(language_environment(), cases);
}

}  // namespace
}  // namespace berth::cel
