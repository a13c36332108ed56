#include "cel/parser.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_issues;
using testing::IssueCase;
using testing::language_environment;

TEST(Parser, ReportsSyntaxErrorsInTheReferencesWords) {
  const IssueCase cases[] = {
      {"1 2", "1:3: Syntax error: extraneous input '2' expecting <EOF>"},
      {"1 2 3", "1:3: Syntax error: mismatched input '2' expecting <EOF>"},
      {"a b", "1:3: Syntax error: extraneous input 'b' expecting <EOF>"},
      {"a.b c.d", "1:5: Syntax error: mismatched input 'c' expecting <EOF>"},
      {"1 + + 2", "1:5: Syntax error: extraneous input '+' expecting <expression>"},
      {"1 + * 2", "1:5: Syntax error: extraneous input '*' expecting <expression>"},
      {"1 + )", "1:5: Syntax error: mismatched input ')' expecting <expression>"},
      {"(1 + 2", "1:7: Syntax error: missing ')' at '<EOF>'"},
      {"(1 + 2))", "1:8: Syntax error: extraneous input ')' expecting <EOF>"},
      {"(1 2)", "1:4: Syntax error: extraneous input '2' expecting ')'"},
      {"((1)", "1:5: Syntax error: missing ')' at '<EOF>'"},
      {"()", "1:2: Syntax error: mismatched input ')' expecting <expression>"},
      {"[",
       "1:2: Syntax error: mismatched input '<EOF>' expecting {'[', ']', '{', '(', '.', ',', '-', "
       "'!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
       "IDENTIFIER}"},
      {"[1", "1:3: Syntax error: mismatched input '<EOF>' expecting {']', ','}"},
      {"[1 2]", "1:4: Syntax error: extraneous input '2' expecting {']', ','}"},
      {"[,1]", "1:3: Syntax error: extraneous input '1' expecting ']'"},
      {"[1,,2]", "1:4: Syntax error: mismatched input ',' expecting ']'"},
      {"{",
       "1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '}', '(', '.', ',', '-', "
       "'!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
       "IDENTIFIER}"},
      {R"({"a")", "1:5: Syntax error: mismatched input '<EOF>' expecting ':'"},
      {R"({"a":)", "1:6: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {R"({"a":1)", "1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"},
      {R"({"a" 1})", "1:6: Syntax error: missing ':' at '1'"},
      {R"({"a":1,,})", "1:8: Syntax error: extraneous input ',' expecting '}'"},
      {"{:1}",
       "1:2: Syntax error: extraneous input ':' expecting {'[', '{', '}', '(', '.', ',', '-', '!', "
       "'?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
       "IDENTIFIER}\n1:4: Syntax error: mismatched input '}' expecting ':'"},
      {"a.", "1:3: Syntax error: no viable alternative at input '.'"},
      {"a.1", "1:2: Syntax error: extraneous input '.1' expecting <EOF>"},
      {"a..b", "1:3: Syntax error: no viable alternative at input '..'"},
      {"a.b.", "1:5: Syntax error: no viable alternative at input '.'"},
      {"a.(b)", "1:3: Syntax error: no viable alternative at input '.('"},
      {"a.b(",
       "1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', "
       "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"a.b(1", "1:6: Syntax error: missing ')' at '<EOF>'"},
      {"a.b(1,", "1:7: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"a.b(1,)", "1:7: Syntax error: mismatched input ')' expecting <expression>"},
      {"f(",
       "1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', "
       "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"f(1", "1:4: Syntax error: missing ')' at '<EOF>'"},
      {"f(1 2)", "1:5: Syntax error: extraneous input '2' expecting ')'"},
      {"f(,)",
       "1:3: Syntax error: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', "
       "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"f(1,)", "1:5: Syntax error: mismatched input ')' expecting <expression>"},
      {"a[",
       "1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', "
       "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"a[]",
       "1:3: Syntax error: mismatched input ']' expecting {'[', '{', '(', '.', '-', '!', '?', "
       "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"a[1", "1:4: Syntax error: missing ']' at '<EOF>'"},
      {"a[1 2]", "1:5: Syntax error: extraneous input '2' expecting ']'"},
      {"a[1)", "1:4: Syntax error: mismatched input ')' expecting ']'"},
      {"a ? b", "1:6: Syntax error: mismatched input '<EOF>' expecting ':'"},
      {"a ? b :", "1:8: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"a ? : c",
       "1:5: Syntax error: extraneous input ':' expecting <expression>\n1:8: Syntax error: "
       "mismatched input '<EOF>' expecting ':'"},
      {"a ?", "1:4: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"? a", "1:1: Syntax error: extraneous input '?' expecting <expression>"},
      {"a : b", "1:3: Syntax error: mismatched input ':' expecting <EOF>"},
      {"a ? b ? c : d : e", "1:7: Syntax error: mismatched input '?' expecting ':'"},
      {"&& a", "1:1: Syntax error: extraneous input '&&' expecting <expression>"},
      {"a &&", "1:5: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"a && && b", "1:6: Syntax error: extraneous input '&&' expecting <expression>"},
      {"a & b",
       "1:3: Syntax error: token recognition error at: '& '\n1:5: Syntax error: extraneous input "
       "'b' expecting <EOF>"},
      {"a | b",
       "1:3: Syntax error: token recognition error at: '| '\n1:5: Syntax error: extraneous input "
       "'b' expecting <EOF>"},
      {"a || ", "1:6: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"= 1", "1:1: Syntax error: token recognition error at: '= '"},
      {"a = 1",
       "1:3: Syntax error: token recognition error at: '= '\n1:5: Syntax error: extraneous input "
       "'1' expecting <EOF>"},
      {"a === 1", "1:5: Syntax error: token recognition error at: '= '"},
      {"a <> 1", "1:4: Syntax error: extraneous input '>' expecting <expression>"},
      {"!", "1:2: Syntax error: extraneous input '<EOF>' expecting <expression>"},
      {"-",
       "1:2: Syntax error: no viable alternative at input '-'\n1:2: Syntax error: mismatched input "
       "'<EOF>' expecting <expression>"},
      {"--",
       "1:3: Syntax error: no viable alternative at input '-'\n1:3: Syntax error: mismatched input "
       "'<EOF>' expecting <expression>"},
      {"1 in", "1:5: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"in 1", "1:1: Syntax error: extraneous input 'in' expecting <expression>"},
      {"a in b c", "1:8: Syntax error: extraneous input 'c' expecting <EOF>"},
      {R"("abc" "def")", R"(1:7: Syntax error: extraneous input '"def"' expecting <EOF>)"},
      {"'a",
       "1:1: Syntax error: token recognition error at: ''a'\n1:3: Syntax error: mismatched input "
       "'<EOF>' expecting <expression>"},
      {R"("a\qb")",
       "1:1: Syntax error: token recognition error at: '\"a\\q'\n1:6: Syntax error: token "
       "recognition error at: '\"'"},
      {R"("\u12")",
       "1:1: Syntax error: token recognition error at: '\"\\u12\"'\n1:7: Syntax error: mismatched "
       "input '<EOF>' expecting <expression>"},
      {"b'abc", "1:2: Syntax error: token recognition error at: ''abc'"},
      {"`abc`", "1:1: Syntax error: mismatched input '`abc`' expecting <expression>"},
      {"a.`b c`", "1:1: undeclared reference to 'a' (in container '')"},
      {"#",
       "1:1: Syntax error: token recognition error at: '#'\n1:2: Syntax error: mismatched input "
       "'<EOF>' expecting <expression>"},
      {"a # b",
       "1:3: Syntax error: token recognition error at: '#'\n1:5: Syntax error: extraneous input "
       "'b' expecting <EOF>"},
      {"a @ b",
       "1:3: Syntax error: token recognition error at: '@'\n1:5: Syntax error: extraneous input "
       "'b' expecting <EOF>"},
      {"$x", "1:1: Syntax error: token recognition error at: '$'"},
      {"1.", "1:3: Syntax error: no viable alternative at input '.'"},
      {"1.5.5", "1:4: Syntax error: extraneous input '.5' expecting <EOF>"},
      {"1..2", "1:3: Syntax error: no viable alternative at input '..2'"},
      {"0x", "1:2: Syntax error: extraneous input 'x' expecting <EOF>"},
      {"0xZ", "1:2: Syntax error: extraneous input 'xZ' expecting <EOF>"},
      {"1u2", "1:3: Syntax error: extraneous input '2' expecting <EOF>"},
      {"1e", "1:2: Syntax error: extraneous input 'e' expecting <EOF>"},
      {"true false", "1:6: Syntax error: extraneous input 'false' expecting <EOF>"},
      {"true.false", "1:6: Syntax error: mismatched input 'false' expecting IDENTIFIER"},
      {"a.true", "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"},
      {"a.null", "1:3: Syntax error: mismatched input 'null' expecting IDENTIFIER"},
      {"for", "1:1: reserved identifier: for"},
      {"if", "1:1: reserved identifier: if"},
      {"a.for", "1:1: undeclared reference to 'a' (in container '')"},
      {"for(1)", "1:1: reserved identifier: for"},
      {"x{",
       "1:3: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, "
       "ESC_IDENTIFIER}"},
      {"x{}", "1:2: undeclared reference to 'x' (in container '')"},
      {"x{a:1}", "1:2: undeclared reference to 'x' (in container '')"},
      {"x{a", "1:4: Syntax error: mismatched input '<EOF>' expecting ':'"},
      {"x{a:", "1:5: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"x{1:2}",
       "1:3: Syntax error: mismatched input '1' expecting {'}', ',', '?', IDENTIFIER, "
       "ESC_IDENTIFIER}"},
      {"Msg{f: 1,}", "1:4: undeclared reference to 'Msg' (in container '')"},
      {";",
       "1:1: Syntax error: token recognition error at: ';'\n1:2: Syntax error: mismatched input "
       "'<EOF>' expecting <expression>"},
      {"1;", "1:2: Syntax error: token recognition error at: ';'"},
      {"a;b",
       "1:2: Syntax error: token recognition error at: ';'\n1:3: Syntax error: extraneous input "
       "'b' expecting <EOF>"},
      {",", "1:1: Syntax error: mismatched input ',' expecting <expression>"},
      {"1,", "1:2: Syntax error: extraneous input ',' expecting <EOF>"},
      {"1,2", "1:2: Syntax error: mismatched input ',' expecting <EOF>"},
      {":", "1:1: Syntax error: mismatched input ':' expecting <expression>"},
      {"a:", "1:2: Syntax error: extraneous input ':' expecting <EOF>"},
      {"]", "1:1: Syntax error: mismatched input ']' expecting <expression>"},
      {"}", "1:1: Syntax error: mismatched input '}' expecting <expression>"},
      {"a]", "1:2: Syntax error: extraneous input ']' expecting <EOF>"},
      {"a}", "1:2: Syntax error: extraneous input '}' expecting <EOF>"},
      {"//", "1:3: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"// c", "1:5: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"% 2", "1:1: Syntax error: extraneous input '%' expecting <expression>"},
      {"1 %", "1:4: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"1 !", "1:3: Syntax error: extraneous input '!' expecting <EOF>"},
      {"!!", "1:3: Syntax error: extraneous input '<EOF>' expecting <expression>"},
      {"!-1", "1:1: found no matching overload for '!_' applied to '(int)'"},
      {"-!true", "1:2: Syntax error: no viable alternative at input '-!'"},
      {"- ",
       "1:3: Syntax error: no viable alternative at input '- '\n1:3: Syntax error: mismatched "
       "input '<EOF>' expecting <expression>"},
      {"a?.b", "1:5: Syntax error: mismatched input '<EOF>' expecting ':'"},
      {"a.?b", "1:1: undeclared reference to 'a' (in container '')"},
      {"a[?0]", "1:1: undeclared reference to 'a' (in container '')"},
      {"[?a]",
       "1:3: undeclared reference to 'a' (in container '')\n1:3: expected type "
       "'optional_type(!error!)' but found '!error!'"},
      {R"({?"a": b})",
       "1:8: undeclared reference to 'b' (in container '')\n1:8: expected type "
       "'optional_type(!error!)' but found '!error!'"},
      {"a.?",
       "1:4: Syntax error: mismatched input '<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}\n1:4: "
       "unsupported ident kind"},
      {"a.?1",
       "1:4: Syntax error: mismatched input '1' expecting {IDENTIFIER, ESC_IDENTIFIER}\n1:4: "
       "unsupported ident kind"},
      {"a[?", "1:4: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"1 +", "1:4: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"a.b.c.d.", "1:9: Syntax error: no viable alternative at input '.'"},
      {R"(managedCluster.metadata.labels["env" == "prod")",
       "1:47: Syntax error: missing ']' at '<EOF>'"},
      {R"(managedCluster.metadata.labels["env"]] == "prod")",
       "1:38: Syntax error: mismatched input ']' expecting <EOF>"},
      {R"(managedCluster.metadata.labels["env"] = "prod")",
       "1:39: Syntax error: token recognition error at: '= '\n1:41: Syntax error: extraneous input "
       "'\"prod\"' expecting <EOF>"},
      {R"(managedCluster.metadata.labels["env"] == prod")",
       R"(1:46: Syntax error: token recognition error at: '"')"},
      {"managedCluster.metadata.labels['env'] == 'prod",
       "1:42: Syntax error: token recognition error at: ''prod'\n1:47: Syntax error: mismatched "
       "input '<EOF>' expecting <expression>"},
      {"has(a.b", "1:8: Syntax error: missing ')' at '<EOF>'"},
      {"has(a", "1:5: invalid argument to has() macro\n1:6: Syntax error: missing ')' at '<EOF>'"},
      {"size(a", "1:7: Syntax error: missing ')' at '<EOF>'"},
      {"a.exists(x, x", "1:14: Syntax error: missing ')' at '<EOF>'"},
      {"a.exists(x x)", "1:12: Syntax error: extraneous input 'x' expecting ')'"},
      {R"("a" && )", "1:8: Syntax error: mismatched input '<EOF>' expecting <expression>"},
      {"(a && b", "1:8: Syntax error: missing ')' at '<EOF>'"},
      {"(a && b) c", "1:10: Syntax error: extraneous input 'c' expecting <EOF>"},
      {"(a && b) || (c", "1:15: Syntax error: missing ')' at '<EOF>'"},
      {"a and b", "1:3: Syntax error: mismatched input 'and' expecting <EOF>"},
      {"not a", "1:5: Syntax error: extraneous input 'a' expecting <EOF>"},
      {"a or b", "1:3: Syntax error: mismatched input 'or' expecting <EOF>"},
      {"a => b",
       "1:3: Syntax error: token recognition error at: '=>'\n1:6: Syntax error: extraneous input "
       "'b' expecting <EOF>"},
      {"a -> b", "1:4: Syntax error: extraneous input '>' expecting <expression>"},
      {"if a then b",
       "1:1: reserved identifier: if\n1:4: Syntax error: mismatched input 'a' expecting <EOF>"},
      {R"("abc"def")",
       "1:6: Syntax error: extraneous input 'def' expecting <EOF>\n1:9: Syntax error: token "
       "recognition error at: '\"'"},
  };
  expect_issues(language_environment(), cases);
}

}  // namespace
}  // namespace berth::cel
