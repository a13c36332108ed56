// What the agent does next about one work and its record on the cluster.
//
//   work               record              next
//   -                  -                   nothing
//   there, unmarked    any                 put the finalizer on the work
//   there, marked      -                   make the record
//   there, marked      there               apply the manifests
//   going              there               say so, then delete the record
//   any                going               release what it lists, then let the record go
//   going              -                   let the work go
//   -                  there               start to evict; after the grace period delete it

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "json/value.h"

namespace berth::fleet {

enum class WorkAction : std::uint8_t {
  Nothing,
  AddFinalizer,
  CreateRecord,
  MendRecord,  // Its spec says something else.
  Apply,
  SayDeleting,
  DeleteRecord,
  Release,
  LetRecordGo,
  LetWorkGo,  // After the cluster itself has said that there is no record.
  StartEviction,
  StopEviction,
};

struct WorkIdentity {
  std::string hub_hash;
  std::string agent_id;
  Duration eviction_grace = std::chrono::minutes(60);
};

// Periods as long as this mean never.
inline constexpr Duration kGraceNever = std::chrono::hours(100 * 365 * 24);

struct WorkStep {
  WorkAction action = WorkAction::Nothing;
  std::optional<Duration> look_again = std::nullopt;  // When time alone may change the answer.
};

// Null: there is none, and that is certain.
WorkStep next_step(const json::Value* work, const json::Value* record, const WorkIdentity& identity,
                   Time now);

// A new record for the work, and the old one with the right spec.
json::Value new_record(const json::Value& work, const WorkIdentity& identity);
json::Value mended_record(json::Value record, const WorkIdentity& identity);

json::Value with_finalizer(json::Value object, std::string_view finalizer);
json::Value without_finalizer(json::Value object, std::string_view finalizer);

// The record with the time at which its eviction began, or without it.
json::Value with_eviction(json::Value record, std::optional<Time> start);

// The work with the condition that it is being deleted.
json::Value with_deleting(json::Value work, Time now);

}  // namespace berth::fleet
