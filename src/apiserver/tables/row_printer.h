// RowPrinter: makes of each object of one resource the row that `kubectl get` shows.

#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct BuiltinTable;

// What a JSONPath such as ".status.conditions[?(@.type=="Ready")].status" finds in the object.
using PathFinder = std::function<std::vector<const json::Value*>(std::string_view json_path,
                                                                 const json::Value& object)>;

struct TableRow {
  std::vector<json::Value> cells;  // As many as there are columns.
  json::Value conditions = {};     // Null: none.
};

class RowPrinter {
 public:
  // A kind without columns of its own is shown by name and time of creation.
  static RowPrinter builtin(std::string_view group, std::string_view kind);

  // The columns of a custom resource, without Name; none stands for its age.
  static RowPrinter custom(const std::vector<Column>& columns, PathFinder find);

  const std::vector<Column>& columns() const { return columns_; }
  TableRow row(const json::Value& object, Time now) const;

 private:
  RowPrinter() = default;

  std::vector<Column> columns_;
  const BuiltinTable* builtin_ = nullptr;  // Of a built-in kind; lives for ever.
  PathFinder find_;                        // Of a custom resource.
};

}  // namespace berth::apiserver
