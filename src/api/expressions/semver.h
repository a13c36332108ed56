// Semantic versions (semver.org 2.0.0), as strict as Kubernetes reads them.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::api {

class SemanticVersion {
 public:
  // "1.2.3", "1.2.3-rc.1+build.5"; no leading v, no missing parts, no leading zeros.
  static Result<SemanticVersion> parse(std::string_view text);

  // The same after dropping a leading v and zeros, and adding missing parts: "v1.02" is 1.2.0.
  static Result<SemanticVersion> parse_normalized(std::string_view text);

  std::uint64_t major() const { return numbers_[0]; }
  std::uint64_t minor() const { return numbers_[1]; }
  std::uint64_t patch() const { return numbers_[2]; }
  std::string to_string() const;

  // By precedence: build metadata does not count.
  friend std::weak_ordering operator<=>(const SemanticVersion& a, const SemanticVersion& b);
  friend bool operator==(const SemanticVersion& a, const SemanticVersion& b) {
    return a <=> b == 0;
  }

 private:
  std::uint64_t numbers_[3] = {0, 0, 0};
  std::vector<std::string> prerelease_;
  std::vector<std::string> build_;
};

}  // namespace berth::api
