// The status of a HostedClusterRequest in the making: phase, conditions and the sentence that says
// what it waits for.

#pragma once

#include <string>
#include <string_view>

#include "api/conditions.h"
#include "base/time.h"
#include "hosting/hosted_cluster_request.h"
#include "json/value.h"

namespace berth::hosting {

class RequestStatus {
 public:
  RequestStatus(const json::Value& object, Time now);

  RequestStatus& phase(Phase phase);
  RequestStatus& message(std::string_view message);
  RequestStatus& set(std::string_view type, api::ConditionStatus status, std::string_view reason,
                     std::string_view message);
  RequestStatus& clear(std::string_view type);
  RequestStatus& field(std::string_view name, json::Value value);

  // Whether anything is different from what there was; only then is the generation noted, too.
  bool has_changed() const { return object_ != before_; }
  json::Value take() { return std::move(object_); }

 private:
  json::Value& status() { return object_["status"]; }

  const json::Value& before_;
  json::Value object_;
  std::int64_t generation_;
  Time now_;
};

}  // namespace berth::hosting
