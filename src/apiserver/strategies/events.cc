#include "apiserver/strategies/events.h"

#include <fmt/format.h>

#include "api/metadata.h"
#include "api/names.h"
#include "apiserver/schema/field_errors.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kInstanceBytesMax = 128;
constexpr std::size_t kActionBytesMax = 128;
constexpr std::size_t kReasonBytesMax = 128;
constexpr std::size_t kNoteBytesMax = 1024;

// The two kinds call the same things differently.
struct Names {
  std::string_view regarding;
  std::string_view controller;
  std::string_view note;
};
constexpr Names kCore = {
    .regarding = "involvedObject", .controller = "reportingComponent", .note = "message"};
constexpr Names kOther = {
    .regarding = "regarding", .controller = "reportingController", .note = "note"};

// An event is where the thing is that it tells of; one about the cluster is in default.
void check_namespace(const json::Value& event, const Names& names, std::vector<Cause>& causes) {
  const std::string_view ns = api::Metadata(event).namespace_name();
  const std::string_view other = text_at(event, {names.regarding, "namespace"});
  const bool is_right = other.empty() ? ns == "default" || ns.empty() : ns == other;
  if (is_right) return;
  causes.push_back(
      invalid(child(names.regarding, "namespace"), other, "does not match event.namespace"));
}

void check_text(std::string_view field, std::string_view text, std::size_t bytes_max,
                std::vector<Cause>& causes) {
  if (text.empty()) {
    causes.push_back(required(field, ""));
  } else if (text.size() > bytes_max) {
    causes.push_back(invalid(field, "", fmt::format("can have at most {} characters", bytes_max)));
  }
}

// Events of the newer sort say when they happened and who saw it.
void check_new_event(const json::Value& event, const Names& names, std::vector<Cause>& causes) {
  const std::string_view controller = text_of(event, names.controller);
  if (controller.empty()) causes.push_back(required(names.controller, ""));
  if (!controller.empty()) {
    for (const std::string& problem : api::check_qualified_name(controller)) {
      causes.push_back(invalid(names.controller, controller, problem));
    }
  }
  check_text("reportingInstance", text_of(event, "reportingInstance"), kInstanceBytesMax, causes);
  check_text("action", text_of(event, "action"), kActionBytesMax, causes);
  check_text("reason", text_of(event, "reason"), kReasonBytesMax, causes);
  if (text_of(event, names.note).size() > kNoteBytesMax) {
    causes.push_back(
        invalid(names.note, "", fmt::format("can have at most {} characters", kNoteBytesMax)));
  }
  const std::string_view type = text_of(event, "type");
  if (type != "Normal" && type != "Warning") {
    causes.push_back(invalid("type", "", fmt::format("has invalid value: {}", type)));
  }
}

std::vector<Cause> check(const json::Value& event, const json::Value* old,
                         const Occasion& occasion) {
  std::vector<Cause> causes;
  const Names& names = occasion.resource.gvr.group.empty() ? kCore : kOther;
  check_namespace(event, names, causes);
  const json::Value* time = event.find("eventTime");
  const bool has_time = time && !time->string_or_empty().empty();
  // Old recorders write the core kind, without a time of their own; their events may be changed
  // through the other kind too.
  const bool is_new = has_time || (occasion.resource.gvr.group != "" && !old);
  if (!is_new) return causes;
  if (!has_time) causes.push_back(required("eventTime", ""));
  check_new_event(event, names, causes);
  return causes;
}

}  // namespace

Strategy event_strategy() { return {.creates_on_update = true, .check = check}; }

}  // namespace berth::apiserver
