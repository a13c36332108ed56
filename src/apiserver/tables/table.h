// Tables on the wire: what `kubectl get` asks for instead of a list, an object, or an event's
// object (meta.k8s.io/v1 Table).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/tables/row_printer.h"
#include "base/result.h"
#include "base/time.h"
#include "json/parse.h"
#include "json/value.h"

namespace berth::apiserver {

// How much of the object goes along with its row.
enum class IncludeObject : std::uint8_t { None, Metadata, Object };

// The query parameter includeObject; "" is Metadata.
Result<IncludeObject> parse_include_object(std::string_view text);

// Whether the table says what its columns are: in a watch only the first one does.
enum class TableHeader : std::uint8_t { Without, With };

struct TableForm {
  IncludeObject include = IncludeObject::Metadata;
  TableHeader header = TableHeader::With;
  Time now = {};
};

// metadata of the list that the table stands for.
struct TableMetadata {
  std::string resource_version = {};
  std::string continue_token = {};
  std::optional<std::int64_t> remaining_items = std::nullopt;
};

// Writes a table row by row into one text.
class TableWriter {
 public:
  // The printer must outlive the writer.
  TableWriter(const RowPrinter& printer, const TableForm& form, const TableMetadata& metadata);

  // A text as the store has it; fails only if it is no JSON.
  Status add_text(std::string_view object_text);
  void add(const json::Value& object);

  std::string finish() &&;

 private:
  void add_row(const json::Value& object, std::string_view object_text);

  const RowPrinter& printer_;
  TableForm form_;
  json::Parser parser_;
  std::string text_;
  bool has_rows_ = false;
};

// A table of one row, for a single object and for the object of an event.
std::string print_table(const RowPrinter& printer, const json::Value& object,
                        const TableForm& form);

}  // namespace berth::apiserver
