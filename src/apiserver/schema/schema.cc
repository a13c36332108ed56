#include "apiserver/schema/schema.h"

#include <algorithm>

namespace berth::apiserver {

const Field* Schema::find(std::string_view field_name) const {
  const auto at = std::ranges::lower_bound(fields, field_name, {}, &Field::name);
  return at != fields.end() && at->name == field_name ? &*at : nullptr;
}

}  // namespace berth::apiserver
