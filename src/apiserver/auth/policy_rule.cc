#include "apiserver/auth/policy_rule.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using Texts = std::vector<std::string>;

Texts read_texts(const json::Value& rule, std::string_view field) {
  Texts texts;
  const json::Value* list = rule.find(field);
  if (list == nullptr) return texts;
  texts.reserve(list->size());
  for (const json::Value& text : list->elements()) texts.emplace_back(text.string_or_empty());
  return texts;
}

void write_texts(json::Value& rule, std::string_view field, const Texts& texts) {
  if (texts.empty()) return;
  json::Value list = json::Value::array();
  for (const std::string& text : texts) list.push_back(text);
  rule.append_member(field, std::move(list));
}

bool has(const Texts& texts, std::string_view text) {
  return std::ranges::any_of(texts, [&](const std::string& one) { return one == text; });
}

bool has_or_all(const Texts& texts, std::string_view text) {
  return std::ranges::any_of(texts,
                             [&](const std::string& one) { return one == "*" || one == text; });
}

// "pods", "pods/log" or "*/log", without building the text that is asked for.
bool names_resource(std::string_view rule, const Attributes& a) {
  if (rule == "*") return true;
  if (a.subresource.empty()) return rule == a.resource;
  if (!rule.ends_with(a.subresource)) return false;
  rule.remove_suffix(a.subresource.size());
  if (!rule.ends_with('/')) return false;
  rule.remove_suffix(1);
  return rule == "*" || rule == a.resource;
}

// "/a/*" holds everything below; all stars at the end count as one.
bool url_covers(std::string_view owner, std::string_view url) {
  if (owner == url) return true;
  if (!owner.ends_with('*')) return false;
  while (owner.ends_with('*')) owner.remove_suffix(1);
  return url.starts_with(owner);
}

bool any_url_covers(const Texts& urls, std::string_view url) {
  return std::ranges::any_of(urls, [&](const std::string& one) { return url_covers(one, url); });
}

// With lists of at most one entry each.
using Piece = PolicyRule;

constexpr std::size_t kPiecesMax = 100'000;

// How many pieces there would be; a few short lists multiply to billions.
std::size_t piece_count(std::span<const PolicyRule> rules) {
  double count = 0;
  for (const PolicyRule& rule : rules) {
    const auto size = [](const Texts& texts) { return static_cast<double>(texts.size()); };
    count += size(rule.verbs) * (size(rule.api_groups) * size(rule.resources) *
                                     std::max(1.0, size(rule.resource_names)) +
                                 size(rule.non_resource_urls));
  }
  return static_cast<std::size_t>(std::min(count, 1e18));
}

void break_down(const PolicyRule& rule, std::vector<Piece>& pieces) {
  for (const std::string& group : rule.api_groups) {
    for (const std::string& resource : rule.resources) {
      for (const std::string& verb : rule.verbs) {
        Piece piece{.verbs = {verb}, .api_groups = {group}, .resources = {resource}};
        if (rule.resource_names.empty()) pieces.push_back(piece);
        for (const std::string& name : rule.resource_names) {
          piece.resource_names = {name};
          pieces.push_back(piece);
        }
      }
    }
  }
  for (const std::string& url : rule.non_resource_urls) {
    for (const std::string& verb : rule.verbs) {
      pieces.push_back({.verbs = {verb}, .non_resource_urls = {url}});
    }
  }
}

bool covers_resource(const Texts& held, std::string_view wanted) {
  if (has_or_all(held, wanted)) return true;
  const std::size_t slash = wanted.find('/');
  if (slash == std::string_view::npos) return false;
  return has(held, fmt::format("*{}", wanted.substr(slash)));
}

bool covers(const PolicyRule& held, const Piece& piece) {
  if (!has_or_all(held.verbs, piece.verbs.front())) return false;
  if (!piece.non_resource_urls.empty()) {
    // Names restrict resources; the reference lets them restrict paths too.
    return held.resource_names.empty() &&
           any_url_covers(held.non_resource_urls, piece.non_resource_urls.front());
  }
  return has_or_all(held.api_groups, piece.api_groups.front()) &&
         covers_resource(held.resources, piece.resources.front()) &&
         (held.resource_names.empty() || (!piece.resource_names.empty() &&
                                          has(held.resource_names, piece.resource_names.front())));
}

// Pieces about the same resource and name become one rule with all their verbs, in the order of the
// first.
std::vector<PolicyRule> put_together(std::vector<Piece> pieces) {
  std::vector<PolicyRule> rules;
  std::map<std::tuple<Texts, Texts, Texts>, std::size_t> places;
  for (Piece& piece : pieces) {
    if (piece.non_resource_urls.empty()) {
      const auto [place, is_new] = places.try_emplace(
          {piece.api_groups, piece.resources, piece.resource_names}, rules.size());
      if (!is_new) {
        rules[place->second].verbs.push_back(std::move(piece.verbs.front()));
        continue;
      }
    }
    rules.push_back(std::move(piece));
  }
  return rules;
}

bool is_everything(std::span<const PolicyRule> held) {
  const Attributes resource{.verb = "*", .group = "*", .resource = "*"};
  const Attributes path{.verb = "*", .is_resource = false, .path = "*"};
  const auto allow = [&](const Attributes& attributes) {
    return std::ranges::any_of(held,
                               [&](const PolicyRule& rule) { return rule.allows(attributes); });
  };
  return allow(resource) && allow(path);
}

}  // namespace

PolicyRule PolicyRule::from_json(const json::Value& rule) {
  return {.verbs = read_texts(rule, "verbs"),
          .api_groups = read_texts(rule, "apiGroups"),
          .resources = read_texts(rule, "resources"),
          .resource_names = read_texts(rule, "resourceNames"),
          .non_resource_urls = read_texts(rule, "nonResourceURLs")};
}

json::Value PolicyRule::to_json() const {
  json::Value rule = json::Value::object();
  write_texts(rule, "verbs", verbs);
  write_texts(rule, "apiGroups", api_groups);
  write_texts(rule, "resources", resources);
  write_texts(rule, "resourceNames", resource_names);
  write_texts(rule, "nonResourceURLs", non_resource_urls);
  return rule;
}

bool PolicyRule::allows(const Attributes& a) const {
  if (!has_or_all(verbs, a.verb)) return false;
  if (!a.is_resource) return any_url_covers(non_resource_urls, a.path);
  return has_or_all(api_groups, a.group) &&
         std::ranges::any_of(resources,
                             [&](const std::string& rule) { return names_resource(rule, a); }) &&
         (resource_names.empty() || has(resource_names, a.name));
}

std::string quoted_list(std::span<const std::string> texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list.push_back(' ');
    list.append(quote(text));
  }
  return list + "]";
}

std::string PolicyRule::to_string() const {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const Texts& texts) {
    if (!texts.empty()) parts.push_back(fmt::format("{}:{}", name, quoted_list(texts)));
  };
  add("APIGroups", api_groups);
  add("Resources", resources);
  add("NonResourceURLs", non_resource_urls);
  add("ResourceNames", resource_names);
  add("Verbs", verbs);
  return "{" + join(parts, ", ") + "}";
}

std::vector<PolicyRule> read_rules(const json::Value* rules) {
  std::vector<PolicyRule> list;
  if (rules == nullptr) return list;
  list.reserve(rules->size());
  for (const json::Value& rule : rules->elements()) list.push_back(PolicyRule::from_json(rule));
  return list;
}

json::Value write_rules(std::span<const PolicyRule> rules) {
  json::Value list = json::Value::array();
  for (const PolicyRule& rule : rules) list.push_back(rule.to_json());
  return list;
}

std::vector<PolicyRule> uncovered_rules(std::span<const PolicyRule> held,
                                        std::span<const PolicyRule> wanted) {
  if (is_everything(held)) return {};
  if (piece_count(wanted) > kPiecesMax) return {wanted.begin(), wanted.end()};
  std::vector<Piece> pieces;
  for (const PolicyRule& rule : wanted) break_down(rule, pieces);
  std::erase_if(pieces, [&](const Piece& piece) {
    return std::ranges::any_of(held, [&](const PolicyRule& rule) { return covers(rule, piece); });
  });
  return put_together(std::move(pieces));
}

}  // namespace berth::apiserver
