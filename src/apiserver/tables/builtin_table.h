// Tables of built-in kinds as data: for each column its head and where its cells come from.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

enum class CellSource : std::uint8_t {
  Text,          // A string; the fallback when it is absent or empty.
  OptionalText,  // A string; the fallback only when it is absent.
  Integer,       // 0 when absent.
  Boolean,       // False when absent.
  Count,         // Of the elements or members.
  Age,           // Of a time.
  Computed,
};

using CellFunction = json::Value (*)(const json::Value& object, Time now);

struct BuiltinColumn {
  std::string_view name;
  std::string_view type = "string";
  std::string_view format = "";
  int priority = 0;  // Above 0: only with -o wide.
  CellSource source = CellSource::Text;
  std::string_view path = "";  // "status.phase"
  std::string_view fallback = "";
  CellFunction compute = nullptr;  // Of Computed.
};

constexpr BuiltinColumn text_column(std::string_view name, std::string_view path,
                                    std::string_view fallback = "") {
  return {.name = name, .path = path, .fallback = fallback};
}
constexpr BuiltinColumn optional_column(std::string_view name, std::string_view path,
                                        std::string_view fallback) {
  return {.name = name, .source = CellSource::OptionalText, .path = path, .fallback = fallback};
}
constexpr BuiltinColumn integer_column(std::string_view name, std::string_view path) {
  return {.name = name, .type = "integer", .source = CellSource::Integer, .path = path};
}
constexpr BuiltinColumn boolean_column(std::string_view name, std::string_view path) {
  return {.name = name, .type = "boolean", .source = CellSource::Boolean, .path = path};
}
constexpr BuiltinColumn count_column(std::string_view name, std::string_view path) {
  return {.name = name, .type = "integer", .source = CellSource::Count, .path = path};
}
constexpr BuiltinColumn computed_column(std::string_view name, CellFunction compute) {
  return {.name = name, .source = CellSource::Computed, .compute = compute};
}

// The same column under another type: some say "string" about their numbers.
constexpr BuiltinColumn typed(std::string_view type, BuiltinColumn column) {
  column.type = type;
  return column;
}
constexpr BuiltinColumn wide(BuiltinColumn column) {
  column.priority = 1;
  return column;
}

inline constexpr BuiltinColumn kNameColumn = {
    .name = "Name", .format = "name", .path = "metadata.name"};
inline constexpr BuiltinColumn kAgeColumn = {
    .name = "Age", .source = CellSource::Age, .path = "metadata.creationTimestamp"};

struct BuiltinTable {
  std::string_view group;  // "" is the core group.
  std::string_view kind;
  std::span<const BuiltinColumn> columns;
  json::Value (*conditions)(const json::Value& object) = nullptr;  // Of the row; null for none.
};

json::Value cell_of(const BuiltinColumn& column, const json::Value& object, Time now);

// The table of the kind. What has none is shown by name and time of creation.
const BuiltinTable& find_builtin_table(std::string_view group, std::string_view kind);

// One per family, for the list that find_builtin_table() looks through.
std::span<const BuiltinTable> core_tables();
std::span<const BuiltinTable> pod_tables();
std::span<const BuiltinTable> node_tables();
std::span<const BuiltinTable> event_tables();
std::span<const BuiltinTable> workload_tables();
std::span<const BuiltinTable> batch_tables();
std::span<const BuiltinTable> security_tables();
std::span<const BuiltinTable> network_tables();
std::span<const BuiltinTable> storage_tables();

}  // namespace berth::apiserver
