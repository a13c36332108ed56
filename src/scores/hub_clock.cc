#include "scores/hub_clock.h"

#include <chrono>

#include "api/kinds/fields.h"

namespace berth::scores {
namespace {

std::optional<Time> time_of_write(const json::Value& object, std::string_view manager) {
  std::optional<Time> latest;
  const json::Value& metadata = api::field(object, "metadata");
  for (const json::Value& entry : api::elements_field(metadata, "managedFields")) {
    if (api::field(entry, "manager").string_or_empty() != manager) continue;
    const auto time = api::time_field(entry, "time");
    if (time && (!latest || *time > *latest)) latest = time;
  }
  return latest;
}

}  // namespace

// The note has whole seconds, and was made somewhere between question and answer: the middle of
// both is taken.
void HubClock::observe(const json::Value& answer, std::string_view manager,
                       const Exchange& exchange) {
  const auto noted = time_of_write(answer, manager);
  if (!noted) return;
  reading_ = {.hub = *noted + std::chrono::milliseconds(500),
              .here = exchange.sent + (exchange.answered - exchange.sent) / 2};
}

std::optional<Time> HubClock::time_at(Instant moment) const {
  if (!reading_) return std::nullopt;
  return reading_->hub + (moment - reading_->here);
}

}  // namespace berth::scores
