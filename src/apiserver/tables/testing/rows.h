// Rows of built-in tables for tests, from objects written as YAML.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/tables/row_printer.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/print.h"
#include "json/value.h"
#include "json/yaml_read.h"

namespace berth::apiserver::testing {

// When all rows are looked at.
inline constexpr std::string_view kNow = "2026-01-02T00:00:00Z";

// A whole object. One that does not say so is called "x" and three hours old.
inline json::Value object_of(std::string_view yaml) {
  json::Value object = json::read_one_yaml(yaml).value();
  json::Value& metadata = object["metadata"];
  if (!metadata.find("name")) metadata["name"] = "x";
  if (!metadata.find("creationTimestamp")) metadata["creationTimestamp"] = "2026-01-01T21:00:00Z";
  return object;
}

// The cells with " | " between them, the wide ones too.
inline std::string row_of(std::string_view group, std::string_view kind, std::string_view yaml) {
  const auto printer = RowPrinter::builtin(group, kind);
  std::vector<std::string> cells;
  for (const json::Value& cell : printer.row(object_of(yaml), parse_rfc3339(kNow).value()).cells) {
    cells.push_back(cell.is_string() ? std::string(cell.string_or_empty()) : json::print(cell));
  }
  return join(cells, " | ");
}

}  // namespace berth::apiserver::testing
