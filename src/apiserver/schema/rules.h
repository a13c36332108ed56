// x-kubernetes-validations: expressions about a part of an object (self) and what it was before an
// update (oldSelf), compiled when a definition is read and evaluated on every write.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apiserver/schema/constraints.h"
#include "apiserver/schema/rule_values.h"
#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "cel/environment.h"
#include "cel/program.h"
#include "json/value.h"

namespace berth::apiserver {

// In CEL's units, as in Kubernetes. A definition with dear rules is accepted; they fail when an
// object makes them cost more than this.
inline constexpr std::uint64_t kRuleCostMax = 1'000'000;
inline constexpr std::int64_t kObjectCostMax = 10'000'000;

struct CompiledRule {
  RuleText text;
  cel::Program program;
  std::optional<cel::Program> message = std::nullopt;
  std::string field_path = {};  // Normalised: ".a.b" is "a.b".
  bool uses_old_self = false;
};

struct CompiledRules {
  std::vector<CompiledRule> rules;
  bool converts = false;  // Whether self is more than plain JSON.
};

std::vector<RuleText> read_rules(const json::Value& validations);

struct RuleOptions {
  std::string path;                 // Of x-kubernetes-validations.
  std::string uncorrelatable = {};  // Where parts cannot be told apart: no oldSelf below.
  RuleScope scope = RuleScope::Part;
  std::shared_ptr<const cel::Environment> libraries;  // api::rule_libraries()
};

struct RuleCompilation {
  std::shared_ptr<const CompiledRules> rules;
  std::vector<Cause> problems = {};  // Rules that have one are left out.
};

// The schema's parts must be complete.
RuleCompilation compile_rules(const Schema& schema, std::span<const RuleText> texts,
                              const RuleOptions& options);

struct RuleInput {
  const json::Value* old = nullptr;  // Null on create: rules about changes are skipped.
  std::string path = {};             // The place of the value, for the errors' field.
};

// Evaluates the rules of the schema and of all its parts.
std::vector<Cause> validate_rules(const Schema& schema, const json::Value& value,
                                  const RuleInput& input = {});

}  // namespace berth::apiserver
