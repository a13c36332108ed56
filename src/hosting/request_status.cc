#include "hosting/request_status.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"

namespace berth::hosting {

constexpr std::size_t kMessageMax = 4000;

RequestStatus::RequestStatus(const json::Value& object, Time now)
    : before_(object), object_(object), generation_(api::Metadata(object).generation()), now_(now) {
  status()["observedGeneration"] = generation_;
}

RequestStatus& RequestStatus::phase(Phase phase) {
  status()["phase"] = phase_name(phase);
  return *this;
}

RequestStatus& RequestStatus::message(std::string_view message) {
  if (message.empty()) {
    status().erase("message");
  } else {
    status()["message"] = cut_utf8(message, kMessageMax);
  }
  return *this;
}

RequestStatus& RequestStatus::set(std::string_view type, api::ConditionStatus condition,
                                  std::string_view reason, std::string_view message) {
  json::Value& conditions = status()["conditions"];
  conditions = api::with_condition(std::move(conditions),
                                   {.type = std::string(type),
                                    .status = condition,
                                    .reason = std::string(reason),
                                    .message = std::string(cut_utf8(message, kMessageMax)),
                                    .observed_generation = generation_},
                                   now_);
  return *this;
}

RequestStatus& RequestStatus::clear(std::string_view type) {
  if (const json::Value* conditions = status().find("conditions")) {
    status()["conditions"] = api::without_condition(*conditions, type);
  }
  return *this;
}

RequestStatus& RequestStatus::field(std::string_view name, json::Value value) {
  status()[name] = std::move(value);
  return *this;
}

}  // namespace berth::hosting
