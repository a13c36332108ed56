#include "scores/sources/write_pacer_service.h"

#include <algorithm>

#include "client/errors.h"

namespace berth::scores {

Duration WritePacer::turn(const api::ObjectKey& object, Instant now) {
  auto known = turns_.find(object);
  if (known == turns_.end()) {
    known = turns_.emplace(object, now + limiter_.reserve(now)).first;
  }
  const Instant due = std::max(known->second, resumes_);
  if (due > now) return due - now;
  turns_.erase(known);
  return Duration::zero();
}

void WritePacer::give_up(const api::ObjectKey& object) {
  if (turns_.erase(object) > 0) limiter_.cancel();
}

void WritePacer::on_written(const Status& status, Instant now) {
  if (status.ok()) return backoff_.reset();
  const Error& error = status.error();
  const bool overloaded =
      client::is_too_many_requests(error) || error.code == Code::ServiceUnavailable;
  // Those who were on their way when it began say nothing new.
  if (!overloaded || now < resumes_) return;
  const Duration asked = error.retry_after.value_or(Duration::zero());
  resumes_ = now + std::max(backoff_.next(now, random_), asked);
}

}  // namespace berth::scores
