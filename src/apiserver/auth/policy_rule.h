// PolicyRule: one rule of a Role or ClusterRole, what it allows and what it covers.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "apiserver/auth/attributes.h"
#include "json/value.h"

namespace berth::apiserver {

struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> api_groups = {};
  std::vector<std::string> resources = {};
  std::vector<std::string> resource_names = {};  // Empty: all.
  std::vector<std::string> non_resource_urls = {};

  static PolicyRule from_json(const json::Value& rule);
  json::Value to_json() const;  // Empty lists are left out.

  bool allows(const Attributes& attributes) const;

  // {APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}
  std::string to_string() const;

  bool operator==(const PolicyRule&) const = default;
};

// The `rules` of a role; what is no list has none.
std::vector<PolicyRule> read_rules(const json::Value* rules);
json::Value write_rules(std::span<const PolicyRule> rules);

// What of `wanted` the owner of `held` may not do: broken down to one verb on one resource (and
// name) each, then those that differ by verb only put together again. As kube-apiserver compares
// them, one held rule has to cover each piece alone. Rules that would fall into more than 100,000
// pieces are not compared: only who may do everything holds them.
std::vector<PolicyRule> uncovered_rules(std::span<const PolicyRule> held,
                                        std::span<const PolicyRule> wanted);

// As Go prints a list of strings with %q: ["a" "b"].
std::string quoted_list(std::span<const std::string> texts);

}  // namespace berth::apiserver
