// Events in both of their shapes: core/v1 and events.k8s.io/v1 name the same facts differently.

#include <string>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "apiserver/tables/human_age.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

// What the older shape calls `core` and the newer one `newer`.
const Value& either(const Value& event, std::string_view core, std::string_view newer) {
  const Value* found = event.find(core);
  return found ? *found : api::field(event, newer);
}

const Value& subject(const Value& event) { return either(event, "involvedObject", "regarding"); }

std::optional<Time> time_of(const Value& event, std::string_view core, std::string_view newer) {
  const auto time = time_at(event, event.find(core) ? core : newer);
  return time == Time::min() ? std::nullopt : time;
}

std::optional<Time> first_time(const Value& event) {
  const auto first = time_of(event, "firstTimestamp", "deprecatedFirstTimestamp");
  return first ? first : time_at(event, "eventTime");
}

Value first_seen(const Value& event, Time now) { return human_age(first_time(event), now); }

Value last_seen(const Value& event, Time now) {
  if (api::field(event, "series").is_object()) return age_at(event, "series.lastObservedTime", now);
  const auto last = time_of(event, "lastTimestamp", "deprecatedLastTimestamp");
  return human_age(last ? last : first_time(event), now);
}

Value count(const Value& event, Time /*now*/) {
  if (api::field(event, "series").is_object()) return integer_at(event, "series.count");
  // Events of the newer shape do not count what happened once.
  const std::int64_t counted = either(event, "count", "deprecatedCount").as_int().value_or(0);
  return counted == 0 ? 1 : counted;
}

Value object(const Value& event, Time /*now*/) {
  const std::string kind = lower_ascii(api::text_field(subject(event), "kind"));
  const std::string name = api::text_field(subject(event), "name");
  return name.empty() ? kind : fmt::format("{}/{}", kind, name);
}

Value subobject(const Value& event, Time /*now*/) {
  return api::text_field(subject(event), "fieldPath");
}

Value source(const Value& event, Time /*now*/) {
  const Value& older = either(event, "source", "deprecatedSource");
  std::string component = api::text_field(older, "component");
  if (component.empty()) {
    component = either(event, "reportingComponent", "reportingController").string_or_empty();
  }
  std::string host = api::text_field(older, "host");
  if (host.empty()) host = api::text_field(event, "reportingInstance");
  return host.empty() ? component : fmt::format("{}, {}", component, host);
}

Value message(const Value& event, Time /*now*/) {
  return trim(either(event, "message", "note").string_or_empty());
}

constexpr BuiltinColumn kEvents[] = {computed_column("Last Seen", last_seen),
                                     text_column("Type", "type"),
                                     text_column("Reason", "reason"),
                                     computed_column("Object", object),
                                     wide(computed_column("Subobject", subobject)),
                                     wide(computed_column("Source", source)),
                                     computed_column("Message", message),
                                     wide(computed_column("First Seen", first_seen)),
                                     wide(computed_column("Count", count)),
                                     wide(kNameColumn)};

constexpr BuiltinTable kTables[] = {
    {.group = "", .kind = "Event", .columns = kEvents},
    {.group = "events.k8s.io", .kind = "Event", .columns = kEvents},
};

}  // namespace

std::span<const BuiltinTable> event_tables() { return kTables; }

}  // namespace berth::apiserver
