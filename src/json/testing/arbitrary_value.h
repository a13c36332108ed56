// Random Values for property tests, with the odd strings, numbers and shapes that break printers.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "json/value.h"

namespace berth::json::testing {

// Valid UTF-8 with control characters, quotes, several scripts and the separators of YAML.
inline rc::Gen<std::string> arbitrary_text() {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{"a",        "b",
                                                                 "name",     "0",
                                                                 "1",        "-",
                                                                 "~",        "/",
                                                                 ":",        ": ",
                                                                 " ",        "\n",
                                                                 "\t",       "#",
                                                                 "\"",       "\\",
                                                                 "\x01",     "\x7f",
                                                                 "\xc3\xa9", "\xe2\x80\xa8",
                                                                 "\xc2\x85", "\xf0\x9f\x9a\xa2",
                                                                 "true",     "1e3",
                                                                 "'",        "|"});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& part : pieces) text += part;
                        return text;
                      });
}

inline rc::Gen<Value> arbitrary_scalar() {
  return rc::gen::oneOf(
      rc::gen::just(Value()),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return Value(b); }),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t n) { return Value(n); }),
      rc::gen::map(rc::gen::arbitrary<double>(), [](double d) { return Value(d); }),
      rc::gen::map(arbitrary_text(), [](const std::string& text) { return Value(text); }));
}

// Nested at most `depth` levels.
inline rc::Gen<Value> arbitrary_value(int depth = 3) {
  if (depth == 0) return arbitrary_scalar();
  const auto array = rc::gen::map(
      rc::gen::resize(4, rc::gen::container<std::vector<Value>>(arbitrary_value(depth - 1))),
      [](std::vector<Value> elements) { return Value::take_array(elements); });
  const auto object = rc::gen::map(
      rc::gen::resize(4, rc::gen::container<std::vector<std::pair<std::string, Value>>>(
                             rc::gen::pair(arbitrary_text(), arbitrary_value(depth - 1)))),
      [](std::vector<std::pair<std::string, Value>> members) {
        Value value = Value::object();
        for (auto& [name, member] : members) value[name] = std::move(member);
        return value;
      });
  return rc::gen::oneOf(arbitrary_scalar(), array, object);
}

}  // namespace berth::json::testing

namespace rc {

template <>
struct Arbitrary<berth::json::Value> {
  static Gen<berth::json::Value> arbitrary() { return berth::json::testing::arbitrary_value(); }
};

}  // namespace rc
