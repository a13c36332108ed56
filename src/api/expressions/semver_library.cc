#include <compare>
#include <string>
#include <utility>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "api/expressions/ordering.h"
#include "api/expressions/semver.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Value;

constexpr std::string_view kTypeName = "kubernetes.Semver";

class SemverValue final : public cel::Opaque {
 public:
  explicit SemverValue(SemanticVersion version) : version_(std::move(version)) {}

  std::string_view type_name() const override { return kTypeName; }
  bool equals(const cel::Opaque& other) const override {
    return version_ == static_cast<const SemverValue&>(other).version_;
  }
  std::string display() const override { return version_.to_string(); }

  const SemanticVersion& version() const { return version_; }

 private:
  SemanticVersion version_;
};

const SemanticVersion& version_in(const Value& value) {
  return static_cast<const SemverValue&>(value.as_opaque()).version();
}

Result<SemanticVersion> read(const Call& call) {
  const bool normalize = call.arguments.size() == 2 && call[1].as_bool();
  return normalize ? SemanticVersion::parse_normalized(call[0].text())
                   : SemanticVersion::parse(call[0].text());
}

Value parse(Call& call) {
  if (!call.context.charge(sizeof(SemverValue) + call[0].text().size())) {
    return call.context.cancelled();
  }
  auto version = read(call);
  if (!version.ok()) return call.context.error(version.error().message);
  return Value::opaque(*call.context.arena().make<SemverValue>(*std::move(version)));
}

Value is_semver(Call& call) {
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  return Value::boolean(read(call).ok());
}
Value major(Call& call) {
  return Value::integer(static_cast<std::int64_t>(version_in(call[0]).major()));
}
Value minor(Call& call) {
  return Value::integer(static_cast<std::int64_t>(version_in(call[0]).minor()));
}
Value patch(Call& call) {
  return Value::integer(static_cast<std::int64_t>(version_in(call[0]).patch()));
}

std::weak_ordering order(const Value& a, const Value& b) { return version_in(a) <=> version_in(b); }

}  // namespace

void add_semver_library(cel::Environment& environment, SemverVersion version) {
  constexpr auto kGlobal = cel::CallStyle::Global;
  constexpr auto kMember = cel::CallStyle::Member;
  using enum cel::TypeKind;
  const cel::Type semver = cel::Type::opaque(std::string(kTypeName));
  add_entries(
      environment,
      {{"semver", "string_to_semver", kGlobal, {String}, semver, parse},
       {"isSemver", "is_semver_string", kGlobal, {String}, Bool, is_semver},
       {"isGreaterThan",
        "semver_is_greater_than",
        kMember,
        {semver, semver},
        Bool,
        is_greater_than<order>},
       {"isLessThan", "semver_is_less_than", kMember, {semver, semver}, Bool, is_less_than<order>},
       {"compareTo", "semver_compare_to", kMember, {semver, semver}, Int, compare_to<order>},
       {"major", "semver_major", kMember, {semver}, Int, major},
       {"minor", "semver_minor", kMember, {semver}, Int, minor},
       {"patch", "semver_patch", kMember, {semver}, Int, patch}});
  if (version == SemverVersion::Normalizing) {
    add_entries(environment,
                {{"semver", "string_bool_to_semver", kGlobal, {String, Bool}, semver, parse},
                 {"isSemver", "is_semver_string_bool", kGlobal, {String, Bool}, Bool, is_semver}});
  }
}

}  // namespace berth::api
