#include "nodes/annotation_holds.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "json/parse.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "reserve.";
constexpr std::string_view kListDomain = "reserve.kubernetes.io";
constexpr std::string_view kListAnnotation = "reserve.kubernetes.io/resources";
constexpr std::size_t kQuoteMax = 64;

Result<api::Quantity> not_negative(Result<api::Quantity> amount) {
  if (amount.ok() && amount->sign() < 0) {
    return failure(Code::Invalid, "an amount cannot be negative");
  }
  return amount;
}

// A number counts millicores or whole units.
Result<api::Quantity> read_amount(const Value& amount, std::string_view resource) {
  if (amount.is_string()) return not_negative(api::Quantity::from_json(amount));
  const auto number = amount.as_int();
  if (!number) {
    return failure(Code::Invalid, fmt::format("the amount of {} is neither a quantity nor a whole "
                                              "number",
                                              quote(cut_utf8(resource, kQuoteMax))));
  }
  return not_negative(resource == "cpu" ? api::Quantity::from_milli(*number)
                                        : api::Quantity(*number));
}

Hold hold_on(std::string_view node, std::string id, std::string_view annotation,
             std::string_view owner) {
  return {.id = std::move(id),
          .name = fmt::format("annotation {}", annotation),
          .source = Hold::Source::Annotation,
          .node = std::string(node),
          .owner_uid = std::string(owner)};
}

Status read_list_entry(const Value& entry, Hold& hold) {
  hold.owner_uid = api::text_field(entry, "owner_uid");
  if (hold.owner_uid.empty()) return failure(Code::Invalid, "it names no owner_uid");
  api::ResourceList list;
  for (const Value& reserved : api::elements_field(entry, "reserved_resources")) {
    const std::string resource = api::text_field(reserved, "resource_type");
    if (resource.empty()) return failure(Code::Invalid, "a resource has no resource_type");
    const Value* amount = reserved.find("reserved_quanty");
    if (!amount) amount = reserved.find("reserved_quantity");
    if (!amount) {
      return failure(Code::Invalid, fmt::format("{} has no reserved_quanty",
                                                quote(cut_utf8(resource, kQuoteMax))));
    }
    ASSIGN_OR_RETURN(api::Quantity read, read_amount(*amount, resource));
    list.set(resource, list.amount(resource) + read);
  }
  hold.resources = std::move(list);
  return {};
}

void read_list(std::string_view node, std::string_view text, AnnotationHolds& read) {
  const auto problem = [&read](std::string_view what) {
    read.problems.push_back(fmt::format("annotation {}: {}", kListAnnotation, what));
  };
  const auto list = json::parse(text);
  if (!list.ok()) return problem(list.error().message);
  if (!list->is_array()) return problem("it is no JSON array");
  std::size_t index = 0;
  for (const Value& entry : list->elements()) {
    const std::size_t at = index++;
    Hold hold = hold_on(node, fmt::format("{}/{}[{:05}]", node, kListAnnotation, at),
                        fmt::format("{}[{}]", kListAnnotation, at), "");
    const Status status = read_list_entry(entry, hold);
    if (!status.ok()) {
      problem(fmt::format("entry {}: {}", at, status.error().message));
    } else if (!hold.resources.empty()) {
      read.holds.push_back(std::move(hold));
    }
  }
}

}  // namespace

AnnotationHolds read_annotation_holds(const Value& node) {
  AnnotationHolds read;
  const std::string name(api::Metadata(node).name());
  std::map<std::string, Hold> by_owner;
  const Value* annotations = node.find_path({"metadata", "annotations"});
  if (!annotations) return read;
  for (const json::Member& annotation : annotations->members()) {
    const std::string_view key = annotation.name();
    const std::string_view text = annotation.value.string_or_empty();
    if (key == kListAnnotation) {
      read_list(name, text, read);
      continue;
    }
    const std::size_t slash = key.find('/');
    const std::string_view domain = key.substr(0, slash);
    const bool is_ours = domain == kReservationGroup || domain == kListDomain;
    if (!domain.starts_with(kPrefix) || slash == std::string_view::npos || is_ours) continue;
    const std::string_view resource = domain.substr(kPrefix.size());
    const std::string owner(key.substr(slash + 1));
    auto amount = not_negative(api::Quantity::parse(text));
    if (!amount.ok()) {
      read.problems.push_back(fmt::format(
          "annotation {}={}: {}", key, quote(cut_utf8(text, kQuoteMax)), amount.error().message));
      continue;
    }
    Hold& hold = by_owner
                     .try_emplace(owner, hold_on(name, fmt::format("{}/reserve/{}", name, owner),
                                                 key, owner))
                     .first->second;
    hold.resources.set(resource, *std::move(amount));
  }
  for (auto& [owner, hold] : by_owner) read.holds.push_back(std::move(hold));
  std::ranges::sort(read.holds, {}, &Hold::id);
  return read;
}

}  // namespace berth::nodes
