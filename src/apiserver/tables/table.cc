#include "apiserver/tables/table.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/tables/cells.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value column_definitions(const std::vector<Column>& columns) {
  Value definitions = Value::array();
  for (const Column& column : columns) {
    definitions.push_back(Value::object({{"name", column.name},
                                         {"type", column.type},
                                         {"format", column.format},
                                         {"description", column.description},
                                         {"priority", column.priority}}));
  }
  return definitions;
}

Value list_metadata(const TableMetadata& metadata) {
  Value value = Value::object();
  if (!metadata.resource_version.empty()) value["resourceVersion"] = metadata.resource_version;
  if (!metadata.continue_token.empty()) value["continue"] = metadata.continue_token;
  if (metadata.remaining_items) value["remainingItemCount"] = *metadata.remaining_items;
  return value;
}

}  // namespace

Result<IncludeObject> parse_include_object(std::string_view text) {
  if (text.empty() || text == "Metadata") return IncludeObject::Metadata;
  if (text == "Object") return IncludeObject::Object;
  if (text == "None") return IncludeObject::None;
  return failure(Code::BadRequest,
                 fmt::format("Unable to convert to Table as requested: includeObject: Invalid "
                             "value: {}: must be 'Metadata', 'Object', 'None', or empty",
                             quote(text)));
}

TableWriter::TableWriter(const RowPrinter& printer, const TableForm& form,
                         const TableMetadata& metadata)
    : printer_(printer), form_(form) {
  text_ = R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":)";
  json::append(text_, list_metadata(metadata));
  text_ += R"(,"columnDefinitions":)";
  const bool has_header = form_.header == TableHeader::With;
  json::append(text_, has_header ? column_definitions(printer_.columns()) : Value());
  text_ += R"(,"rows":[)";
}

Status TableWriter::add_text(std::string_view object_text) {
  ASSIGN_OR_RETURN(const Value object, parser_.parse(object_text));
  add_row(object, object_text);
  return {};
}

void TableWriter::add(const Value& object) {
  const bool is_included = form_.include == IncludeObject::Object;
  add_row(object, is_included ? json::print(object) : std::string());
}

std::string TableWriter::finish() && {
  text_ += "]}";
  return std::move(text_);
}

void TableWriter::add_row(const Value& object, std::string_view object_text) {
  const TableRow row = printer_.row(object, form_.now);
  text_ += has_rows_ ? R"(,{"cells":[)" : R"({"cells":[)";
  has_rows_ = true;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (i > 0) text_ += ',';
    json::append(text_, row.cells[i]);
  }
  text_ += ']';
  if (!row.conditions.is_null()) {
    text_ += R"(,"conditions":)";
    json::append(text_, row.conditions);
  }
  text_ += R"(,"object":)";
  switch (form_.include) {
    case IncludeObject::None:
      text_ += "null";
      break;
    case IncludeObject::Metadata:
      text_ += R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":)";
      json::append(text_, at(object, "metadata"));
      text_ += '}';
      break;
    case IncludeObject::Object:
      text_ += object_text;
      break;
  }
  text_ += '}';
}

std::string print_table(const RowPrinter& printer, const Value& object, const TableForm& form) {
  TableWriter writer(printer, form,
                     {.resource_version = text_at(object, "metadata.resourceVersion")});
  writer.add(object);
  return std::move(writer).finish();
}

}  // namespace berth::apiserver
