#include "apiserver/validation/role_objects.h"

#include <cstdint>

#include <fmt/format.h>

#include "api/label_selector.h"
#include "api/names.h"
#include "apiserver/resource.h"
#include "apiserver/validation/complaints.h"
#include "apiserver/validation/labels.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

void check_rule(const Place& rule, Scope scope, Complaints& complaints) {
  if (rule["verbs"].size() == 0) {
    complaints.required(rule["verbs"], "verbs must contain at least one value");
  }
  const Place paths = rule["nonResourceURLs"];
  if (paths.size() > 0) {
    if (scope == Scope::Namespaced) {
      complaints.invalid(paths, "namespaced rules cannot apply to non-resource URLs");
    }
    const bool has_resources = rule["apiGroups"].size() > 0 || rule["resources"].size() > 0 ||
                               rule["resourceNames"].size() > 0;
    if (has_resources) {
      complaints.invalid(paths,
                         "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (rule["apiGroups"].size() == 0) {
    complaints.required(rule["apiGroups"], "resource rules must supply at least one api group");
  }
  if (rule["resources"].size() == 0) {
    complaints.required(rule["resources"], "resource rules must supply at least one resource");
  }
}

void check_rules(const Place& rules, Scope scope, Complaints& complaints) {
  for (std::size_t i = 0; i < rules.size(); ++i) check_rule(rules.at(i), scope, complaints);
}

void check_aggregation(const Place& rule, Complaints& complaints) {
  if (!rule.is_set()) return;
  const Place selectors = rule["clusterRoleSelectors"];
  if (selectors.size() == 0) {
    complaints.required(selectors,
                        "at least one clusterRoleSelector required if aggregationRule is non-nil");
  }
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const Place selector = selectors.at(i);
    check_selector(selector, complaints);
    if (!api::LabelSelector::from_json(selector.value()).ok()) {
      complaints.invalid(selector, json::Value(), "invalid label selector.");
    }
  }
}

void check_role_name(const Place& name, Complaints& complaints) {
  const std::string_view text = name.text();
  if (text.empty()) return complaints.required(name);
  if (text == "." || text == "..") complaints.invalid(name, fmt::format("may not be '{}'", text));
  for (const char c : {'/', '%'}) {
    if (text.contains(c)) complaints.invalid(name, fmt::format("may not contain '{}'", c));
  }
}

void check_account(const Place& subject, Scope scope, Complaints& complaints) {
  const Place name = subject["name"];
  if (!name.text().empty()) {
    complaints.check_names(name, api::check_dns1123_subdomain(name.text()));
  }
  if (!subject["apiGroup"].text().empty()) complaints.not_supported(subject["apiGroup"], {""});
  if (scope == Scope::Cluster && subject["namespace"].text().empty()) {
    complaints.required(subject["namespace"]);
  }
}

void check_subject(const Place& subject, Scope scope, Complaints& complaints) {
  if (subject["name"].text().empty()) complaints.required(subject["name"]);
  const std::string_view kind = subject["kind"].text();
  if (kind == "ServiceAccount") return check_account(subject, scope, complaints);
  if (kind == "User" || kind == "Group") {
    if (subject["apiGroup"].text() != kGroup) {
      complaints.not_supported(subject["apiGroup"], {kGroup});
    }
    return;
  }
  complaints.not_supported(subject["kind"], {"ServiceAccount", "User", "Group"});
}

std::vector<Cause> validate_binding(const json::Value& object, const json::Value* old,
                                    Scope scope) {
  Complaints complaints;
  const Place root(object);
  const Place role = root["roleRef"];
  const bool is_other = role.is_set() && role["apiGroup"].text() != kGroup;
  if (is_other) complaints.not_supported(role["apiGroup"], {kGroup});
  const Place kind = role["kind"];
  if (scope == Scope::Cluster) {
    if (kind.text() != "ClusterRole") complaints.not_supported(kind, {"ClusterRole"});
  } else if (kind.text() != "Role" && kind.text() != "ClusterRole") {
    complaints.not_supported(kind, {"Role", "ClusterRole"});
  }
  check_role_name(role["name"], complaints);
  const Place subjects = root["subjects"];
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    check_subject(subjects.at(i), scope, complaints);
  }
  if (old) {
    const Place before(*old);
    if (role.value() != before["roleRef"].value()) {
      complaints.invalid(role, "cannot change roleRef");
    }
  }
  return complaints.take();
}

}  // namespace

std::vector<Cause> validate_role(const json::Value& object, const json::Value* /*old*/) {
  Complaints complaints;
  const Place root(object);
  check_rules(root["rules"], Scope::Namespaced, complaints);
  return complaints.take();
}

std::vector<Cause> validate_cluster_role(const json::Value& object, const json::Value* /*old*/) {
  Complaints complaints;
  const Place root(object);
  check_rules(root["rules"], Scope::Cluster, complaints);
  check_aggregation(root["aggregationRule"], complaints);
  return complaints.take();
}

std::vector<Cause> validate_role_binding(const json::Value& object, const json::Value* old) {
  return validate_binding(object, old, Scope::Namespaced);
}

std::vector<Cause> validate_cluster_role_binding(const json::Value& object,
                                                 const json::Value* old) {
  return validate_binding(object, old, Scope::Cluster);
}

}  // namespace berth::apiserver
