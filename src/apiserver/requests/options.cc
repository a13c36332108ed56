#include "apiserver/requests/options.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "apiserver/schema/field_errors.h"
#include "base/strings.h"
#include "cel/time_arithmetic.h"

namespace berth::apiserver {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kManagerBytesMax = 128;
constexpr std::string_view kMetaGroup = "meta.k8s.io";

std::optional<bool> parse_bool(std::string_view text) {
  static constexpr std::array kTrue = {"1", "t", "T", "true", "TRUE", "True"};
  static constexpr std::array kFalse = {"", "0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, text) != kFalse.end()) return false;
  return std::nullopt;
}

Attempt<std::optional<bool>> read_bool(const Query& query, std::string_view name) {
  const auto text = find_option(query, name);
  if (!text) return std::nullopt;
  const auto truth = parse_bool(*text);
  if (!truth) {
    return refuse(Code::BadRequest,
                  fmt::format("{}: \"{}\" is neither true nor false", name, *text));
  }
  return truth;
}

Attempt<std::optional<std::int64_t>> read_number(const Query& query, std::string_view name) {
  const auto text = find_option(query, name);
  if (!text || text->empty()) return std::nullopt;
  const auto number = parse_int64(*text);
  if (!number) return refuse(Code::BadRequest, fmt::format("{}: \"{}\" is no number", name, *text));
  return number;
}

Attempt<VersionMatch> read_match(const Query& query) {
  const std::string_view text = find_option(query, "resourceVersionMatch").value_or("");
  if (text.empty()) return VersionMatch::Unset;
  if (text == "Exact") return VersionMatch::Exact;
  if (text == "NotOlderThan") return VersionMatch::NotOlderThan;
  return refuse(
      invalid(kMetaGroup, "ListOptions", "",
              {not_supported("resourceVersionMatch", text, Texts{"Exact", "NotOlderThan", ""})}));
}

// What goes together and what does not, in Kubernetes' words.
std::vector<Cause> check_list_match(const ListOptions& options) {
  std::vector<Cause> causes;
  if (options.match == VersionMatch::Unset) return causes;
  if (!options.version) {
    causes.push_back(forbidden("resourceVersionMatch",
                               "resourceVersionMatch is forbidden unless resourceVersion is "
                               "provided"));
  }
  if (!options.continue_token.empty()) {
    causes.push_back(forbidden("resourceVersionMatch",
                               "resourceVersionMatch is forbidden when continue is "
                               "provided"));
  }
  if (options.match == VersionMatch::Exact && options.version == 0) {
    causes.push_back(forbidden("resourceVersionMatch",
                               "resourceVersionMatch \"exact\" is forbidden for "
                               "resourceVersion \"0\""));
  }
  return causes;
}

std::vector<Cause> check_watch_match(const ListOptions& options) {
  std::vector<Cause> causes;
  if (options.sends_initial.has_value()) {
    if (options.match != VersionMatch::NotOlderThan) {
      causes.push_back(forbidden("resourceVersionMatch",
                                 "sendInitialEvents requires setting resourceVersionMatch to "
                                 "NotOlderThan"));
    }
    if (!options.continue_token.empty() || options.limit > 0) {
      causes.push_back(
          forbidden("sendInitialEvents", "sendInitialEvents is forbidden with limit and continue"));
    }
  } else if (options.match != VersionMatch::Unset) {
    causes.push_back(forbidden(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  return causes;
}

std::vector<Cause> check_list(const ListOptions& options) {
  std::vector<Cause> causes = check_list_match(options);
  if (options.sends_initial.has_value()) {
    causes.push_back(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return causes;
}

Attempt<bool> read_dry_run(const std::vector<std::string>& values, std::string_view kind) {
  for (const std::string& value : values) {
    if (value == "All") continue;
    return refuse(invalid(kMetaGroup, kind, "", {not_supported("dryRun", value, Texts{"All"})}));
  }
  return !values.empty();
}

std::vector<std::string> all_options(const Query& query, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : query) {
    if (key == name) values.push_back(value);
  }
  return values;
}

std::vector<Cause> check_manager(std::string_view manager) {
  std::vector<Cause> causes;
  if (manager.size() > kManagerBytesMax) {
    causes.push_back(too_long("fieldManager", 128));
  }
  const bool is_printable = std::ranges::all_of(
      manager, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
  if (!is_printable) {
    causes.push_back(invalid("fieldManager", manager, "should only contain printable characters"));
  }
  return causes;
}

Attempt<Propagation> read_propagation(std::string_view policy, std::optional<bool> orphans) {
  if (orphans && !policy.empty()) {
    return refuse(invalid(kMetaGroup, "DeleteOptions", "",
                          {invalid("propagationPolicy", policy,
                                   "orphanDependents and deletionPropagation cannot be both "
                                   "set")}));
  }
  if (orphans) return *orphans ? Propagation::Orphan : Propagation::Background;
  if (policy.empty()) return Propagation::Unset;
  if (policy == "Orphan") return Propagation::Orphan;
  if (policy == "Background") return Propagation::Background;
  if (policy == "Foreground") return Propagation::Foreground;
  return refuse(invalid(kMetaGroup, "DeleteOptions", "",
                        {not_supported("propagationPolicy", policy,
                                       Texts{"Foreground", "Background", "Orphan", ""})}));
}

std::vector<std::string> texts_of(const json::Value* list) {
  std::vector<std::string> texts;
  if (!list) return texts;
  for (const json::Value& text : list->elements()) texts.emplace_back(text.string_or_empty());
  return texts;
}

std::optional<std::string> text_of(const json::Value* value) {
  if (!value || !value->is_string()) return std::nullopt;
  return std::string(value->string_or_empty());
}

Attempt<DeleteOptions> read_delete_body(const json::Value& body) {
  DeleteOptions options;
  ASSIGN_OR_RETURN(options.is_dry_run,
                   read_dry_run(texts_of(body.find("dryRun")), "DeleteOptions"));
  if (const json::Value* grace = body.find("gracePeriodSeconds"); grace && !grace->is_null()) {
    options.grace_seconds = grace->as_int();
    if (!options.grace_seconds) {
      return refuse(Code::BadRequest, "gracePeriodSeconds: expected a whole number");
    }
  }
  if (const json::Value* preconditions = body.find("preconditions")) {
    options.uid = text_of(preconditions->find("uid"));
    options.version = text_of(preconditions->find("resourceVersion"));
  }
  const json::Value* orphans = body.find("orphanDependents");
  const json::Value* policy = body.find("propagationPolicy");
  ASSIGN_OR_RETURN(options.propagation,
                   read_propagation(policy ? policy->string_or_empty() : "",
                                    orphans ? orphans->as_bool() : std::nullopt));
  return options;
}

}  // namespace

std::optional<std::string_view> find_option(const Query& query, std::string_view name) {
  const auto item = std::ranges::find(query, name, &http::QueryItem::first);
  if (item == query.end()) return std::nullopt;
  return item->second;
}

Attempt<std::optional<std::uint64_t>> read_version(const Query& query) {
  const auto text = find_option(query, "resourceVersion");
  if (!text || text->empty()) return std::nullopt;
  const auto version = parse_uint64(*text);
  if (!version) {
    return refuse(
        Code::BadRequest,
        fmt::format("invalid resource version {}: expected a decimal number", quote(*text)));
  }
  return version;
}

Attempt<ListOptions> read_list_options(const Query& query, ListUse use) {
  ListOptions options;
  ASSIGN_OR_RETURN(options.labels,
                   api::LabelSelector::parse(find_option(query, "labelSelector").value_or("")));
  ASSIGN_OR_RETURN(options.fields,
                   api::FieldSelector::parse(find_option(query, "fieldSelector").value_or("")));
  ASSIGN_OR_RETURN(const auto limit, read_number(query, "limit"));
  options.limit = std::max<std::int64_t>(limit.value_or(0), 0);
  options.continue_token = find_option(query, "continue").value_or("");
  ASSIGN_OR_RETURN(options.version, read_version(query));
  ASSIGN_OR_RETURN(options.match, read_match(query));
  ASSIGN_OR_RETURN(const auto bookmarks, read_bool(query, "allowWatchBookmarks"));
  options.wants_bookmarks = bookmarks.value_or(false);
  ASSIGN_OR_RETURN(options.sends_initial, read_bool(query, "sendInitialEvents"));
  ASSIGN_OR_RETURN(const auto seconds, read_number(query, "timeoutSeconds"));
  if (seconds && *seconds > 0) {
    options.timeout = std::chrono::seconds(std::min<std::int64_t>(*seconds, 86'400 * 365));
  }

  auto causes = use == ListUse::Watch ? check_watch_match(options) : check_list(options);
  if (!causes.empty()) return refuse(invalid(kMetaGroup, "ListOptions", "", std::move(causes)));
  return options;
}

Attempt<WriteOptions> read_write_options(const Query& query, std::string_view kind) {
  WriteOptions options;
  ASSIGN_OR_RETURN(options.is_dry_run, read_dry_run(all_options(query, "dryRun"), kind));
  options.manager = find_option(query, "fieldManager").value_or("");
  ASSIGN_OR_RETURN(options.force, read_bool(query, "force"));

  std::vector<Cause> causes = check_manager(options.manager);
  const std::string_view validation = find_option(query, "fieldValidation").value_or("");
  if (validation == "Ignore") {
    options.validation = FieldValidation::Ignore;
  } else if (validation == "Strict") {
    options.validation = FieldValidation::Strict;
  } else if (validation != "Warn" && !validation.empty()) {
    causes.push_back(
        not_supported("fieldValidation", validation, Texts{"", "Ignore", "Strict", "Warn"}));
  }
  if (!causes.empty()) return refuse(invalid(kMetaGroup, kind, "", std::move(causes)));
  return options;
}

Attempt<DeleteOptions> read_delete_options(const json::Value* body, const Query& query) {
  if (body) return read_delete_body(*body);
  DeleteOptions options;
  ASSIGN_OR_RETURN(options.is_dry_run, read_dry_run(all_options(query, "dryRun"), "DeleteOptions"));
  ASSIGN_OR_RETURN(options.grace_seconds, read_number(query, "gracePeriodSeconds"));
  ASSIGN_OR_RETURN(const auto orphans, read_bool(query, "orphanDependents"));
  ASSIGN_OR_RETURN(options.propagation,
                   read_propagation(find_option(query, "propagationPolicy").value_or(""), orphans));
  return options;
}

Attempt<Duration> read_timeout(const Query& query, Duration maximum) {
  const std::string_view text = find_option(query, "timeout").value_or("");
  if (text.empty()) return maximum;
  const auto length = cel::parse_duration(text);
  if (!length) {
    return refuse(Code::BadRequest,
                  fmt::format("invalid timeout specified in the request URL: {}", quote(text)));
  }
  return *length <= Duration::zero() || *length > maximum ? maximum : *length;
}

}  // namespace berth::apiserver
