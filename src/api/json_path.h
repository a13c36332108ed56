// JSON paths as kubectl, the columns of custom resources and the feedback of ManifestWorks use
// them: .status.conditions[?(@.type=="Ready")].status, .spec.ports[*].name,
// .metadata.annotations['a/b'], .spec.list[-1]. Recursion ("..") and nested filters are refused.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::api {

class JsonPath {
 public:
  static constexpr std::size_t kTextMax = 4096;     // Bytes of a path.
  static constexpr std::size_t kFoundMax = 10'000;  // Values found; more are left out.

  // An error says what was expected, and where.
  static Result<JsonPath> parse(std::string_view text);

  // What the path leads to, in the order of the document; nothing where a step finds nothing. The
  // values belong to the document.
  std::vector<const json::Value*> find(const json::Value& document) const;
  std::vector<json::Value*> find(json::Value& document) const;

 private:
  friend class JsonPathParser;

  enum class Comparison : std::uint8_t {
    Exists,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
  };

  struct Filter;

  struct Slice {
    std::optional<std::int64_t> first = std::nullopt;
    std::optional<std::int64_t> end = std::nullopt;
  };

  // One of these: names, indices, a range of indices, a filter; none of them means all.
  struct Step {
    std::vector<std::string> names = {};
    std::vector<std::int64_t> indices = {};
    std::optional<Slice> slice = std::nullopt;
    std::shared_ptr<const Filter> filter = nullptr;
  };

  using Found = std::vector<const json::Value*>;
  static Found follow(const std::vector<Step>& steps, const json::Value& document);
  static Found take(const Step& step, const json::Value& value);
  static bool passes(const Filter& filter, const json::Value& element);

  std::vector<Step> steps_;
};

}  // namespace berth::api
