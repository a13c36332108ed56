// metadata.managedFields: who wrote which fields of an object, when, and how.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/apply/field_set.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

enum class Operation : std::uint8_t { Apply, Update };

// Who: the same manager is another one for each operation and subresource, and for each version
// when it does not apply.
struct ManagerName {
  std::string manager = {};
  Operation operation = Operation::Update;
  std::string api_version = {};
  std::string subresource = {};

  // Whether both mean the same manager; appliers are the same in every version.
  bool is_same(const ManagerName& other) const;

  // The reference sorts managers by this JSON text of theirs.
  std::string identifier() const;

  // "kubectl" with subresource "status" using apps/v1, as conflicts show it.
  std::string display() const;
};

struct ManagedEntry {
  ManagerName name;
  std::optional<Time> time = std::nullopt;
  FieldSet fields = {};
};

// No two entries are of the same manager.
using ManagedFields = std::vector<ManagedEntry>;

ManagedEntry* find_manager(ManagedFields& fields, const ManagerName& name);

// Of an object's metadata; null and absent are no entries. Error BadRequest with the words of the
// reference for an entry that lacks what it needs.
Result<ManagedFields> decode_managed_fields(const json::Value* encoded);

// An array sorted by operation, time, manager, version and subresource; null if there are none.
json::Value encode_managed_fields(ManagedFields fields);

// Whether an update with these managedFields asks to forget them all: [] or [{}].
bool is_reset(const json::Value& encoded);

// `updated`, unless only times in its managedFields are other than in `live`: then those of `live`,
// so that writing the same again changes nothing. To be asked right before storing, when all rules
// about metadata were followed.
json::Value without_new_times(const json::Value& live, json::Value updated);

}  // namespace berth::apiserver
