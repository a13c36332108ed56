// Selection: which objects of a table a list, a watch or a deletion is about.

#pragma once

#include <string>
#include <string_view>

#include "api/field_selector.h"
#include "api/label_selector.h"
#include "json/value.h"

namespace berth::apiserver {

struct Selection {
  std::string prefix = {};  // Of names in the table: "" all, "NAMESPACE/" those of a namespace.
  std::string name = {};    // The only one, if not empty: a name in the table.
  api::LabelSelector labels = {};
  api::FieldSelector fields = {};

  // Told by the name alone.
  bool covers(std::string_view table_name) const {
    return name.empty() ? table_name.starts_with(prefix) : table_name == name;
  }

  // Whether names are not enough.
  bool looks_inside() const { return !labels.is_everything() || !fields.is_everything(); }
  bool matches(const json::Value& object) const;
};

}  // namespace berth::apiserver
