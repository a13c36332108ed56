#include "apiserver/tables/builtin_table.h"

#include <algorithm>
#include <array>

#include "apiserver/tables/cells.h"

namespace berth::apiserver {
namespace {

// The zero time of Go is what an object without a creationTimestamp has.
json::Value created_at(const json::Value& object, Time /*now*/) {
  const std::string text = text_at(object, "metadata.creationTimestamp");
  return text.empty() ? "0001-01-01T00:00:00Z" : text;
}

constexpr BuiltinColumn kDefaultColumns[] = {
    kNameColumn, typed("date", computed_column("Created At", created_at))};
constexpr BuiltinTable kDefaultTable = {.group = "", .kind = "", .columns = kDefaultColumns};

json::Value text_cell(const BuiltinColumn& column, const json::Value& value) {
  const auto text = value.as_string();
  const bool is_missing = !text || (text->empty() && column.source == CellSource::Text);
  return is_missing ? column.fallback : *text;
}

}  // namespace

json::Value cell_of(const BuiltinColumn& column, const json::Value& object, Time now) {
  switch (column.source) {
    case CellSource::Text:
    case CellSource::OptionalText:
      return text_cell(column, at(object, column.path));
    case CellSource::Integer:
      return integer_at(object, column.path);
    case CellSource::Boolean:
      return at(object, column.path).as_bool().value_or(false);
    case CellSource::Count:
      return at(object, column.path).size();
    case CellSource::Age:
      return age_at(object, column.path, now);
    case CellSource::Computed:
      return column.compute(object, now);
  }
  return nullptr;
}

const BuiltinTable& find_builtin_table(std::string_view group, std::string_view kind) {
  const std::array families = {core_tables(),     pod_tables(),      node_tables(),
                               event_tables(),    workload_tables(), batch_tables(),
                               security_tables(), network_tables(),  storage_tables()};
  for (const std::span<const BuiltinTable> family : families) {
    const auto found = std::ranges::find_if(family, [&](const BuiltinTable& table) {
      return table.group == group && table.kind == kind;
    });
    if (found != family.end()) return *found;
  }
  return kDefaultTable;
}

}  // namespace berth::apiserver
