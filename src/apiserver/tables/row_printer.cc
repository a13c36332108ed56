#include "apiserver/tables/row_printer.h"

#include <utility>

#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "apiserver/tables/custom_cell.h"

namespace berth::apiserver {

RowPrinter RowPrinter::builtin(std::string_view group, std::string_view kind) {
  RowPrinter printer;
  printer.builtin_ = &find_builtin_table(group, kind);
  for (const BuiltinColumn& column : printer.builtin_->columns) {
    printer.columns_.push_back({.name = std::string(column.name),
                                .type = std::string(column.type),
                                .format = std::string(column.format),
                                .priority = column.priority});
  }
  return printer;
}

RowPrinter RowPrinter::custom(const std::vector<Column>& columns, PathFinder find) {
  RowPrinter printer;
  printer.find_ = std::move(find);
  printer.columns_.push_back({.name = "Name", .format = "name"});
  printer.columns_.insert(printer.columns_.end(), columns.begin(), columns.end());
  if (columns.empty()) {
    printer.columns_.push_back(
        {.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"});
  }
  for (Column& column : printer.columns_) {
    if (column.description.empty() && !column.json_path.empty()) {
      column.description = "What stands at " + column.json_path;
    }
  }
  return printer;
}

TableRow RowPrinter::row(const json::Value& object, Time now) const {
  TableRow row;
  row.cells.reserve(columns_.size());
  if (builtin_) {
    for (const BuiltinColumn& column : builtin_->columns) {
      row.cells.push_back(cell_of(column, object, now));
    }
    if (builtin_->conditions) row.conditions = builtin_->conditions(object);
    return row;
  }
  for (const Column& column : columns_) {
    if (column.json_path.empty()) {
      row.cells.emplace_back(text_at(object, "metadata.name"));
      continue;
    }
    // More than one result is possible; the first one is the cell.
    const std::vector<const json::Value*> found = find_(column.json_path, object);
    row.cells.push_back(found.empty() ? json::Value() : custom_cell(column.type, *found[0], now));
  }
  return row;
}

}  // namespace berth::apiserver
