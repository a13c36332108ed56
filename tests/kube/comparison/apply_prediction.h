// What our field manager says that a server holds after a write to a Thing.

#pragma once

#include "apiserver/apply/testing/schema_reader.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "kube/comparison/apply_step.h"

namespace berth::kube {

class ApplyPrediction {
 public:
  ApplyPrediction();

  // The object, or the conflict; without what only the server can know (uid, versions, times of its
  // metadata). `live` is nullptr before it exists.
  Result<json::Value> after(const json::Value* live, const ApplyStep& step, Time now) const;

 private:
  apiserver::testing::ReadSchema schema_;
};

// The object without what only the server can know.
json::Value comparable(json::Value object);

}  // namespace berth::kube
