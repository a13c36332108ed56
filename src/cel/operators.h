// The names under which operators appear in messages and in tables of functions.

#pragma once

#include <string_view>

namespace berth::cel::operators {

inline constexpr std::string_view kConditional = "_?_:_";
inline constexpr std::string_view kLogicalAnd = "_&&_";
inline constexpr std::string_view kLogicalOr = "_||_";
inline constexpr std::string_view kLogicalNot = "!_";
inline constexpr std::string_view kNegate = "-_";
inline constexpr std::string_view kEquals = "_==_";
inline constexpr std::string_view kNotEquals = "_!=_";
inline constexpr std::string_view kLess = "_<_";
inline constexpr std::string_view kLessEquals = "_<=_";
inline constexpr std::string_view kGreater = "_>_";
inline constexpr std::string_view kGreaterEquals = "_>=_";
inline constexpr std::string_view kIn = "@in";
inline constexpr std::string_view kAdd = "_+_";
inline constexpr std::string_view kSubtract = "_-_";
inline constexpr std::string_view kMultiply = "_*_";
inline constexpr std::string_view kDivide = "_/_";
inline constexpr std::string_view kModulo = "_%_";
inline constexpr std::string_view kIndex = "_[_]";
inline constexpr std::string_view kOptionalIndex = "_[?_]";
inline constexpr std::string_view kOptionalSelect = "_?._";
inline constexpr std::string_view kNotStrictlyFalse = "@not_strictly_false";

}  // namespace berth::cel::operators
