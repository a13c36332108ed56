#include "apiserver/apply/patch_schema.h"

#include <algorithm>

namespace berth::apiserver {
namespace {

// The struct that a patch descends into: the object itself, or the elements of the list. Null for
// maps, scalars and free-form JSON, below which nothing is known.
const Schema* struct_of(const Schema* schema) {
  if (schema && schema->form == Form::Array) schema = schema->items;
  if (!schema || schema->form != Form::Object || schema->fields.empty()) return nullptr;
  return schema;
}

}  // namespace

const json::PatchSchema& PatchSchemas::view_of(const Schema& schema) {
  const auto at =
      std::ranges::find_if(views_, [&](const View& view) { return view.shows(schema); });
  return at != views_.end() ? *at : views_.emplace_back(*this, schema);
}

std::optional<json::PatchField> PatchSchemas::View::field(std::string_view name) const {
  const Field* field = schema_.find(name);
  if (!field) return std::nullopt;
  const Schema* below = struct_of(field->schema);
  return json::PatchField{.strategy = field->patch_strategy,
                          .merge_key = field->patch_merge_key,
                          .type = below ? &schemas_.view_of(*below) : nullptr};
}

}  // namespace berth::apiserver
