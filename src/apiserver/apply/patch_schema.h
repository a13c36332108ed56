// The types of built-in kinds as a strategic merge patch wants to see them.

#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "apiserver/schema/schema.h"
#include "json/strategic_patch.h"

namespace berth::apiserver {

// Makes a view for each node of a Schema that a patch meets, when it meets it: built-in types form
// circles. Not to be shared between threads; the Schema must outlive it.
class PatchSchemas {
 public:
  const json::PatchSchema& view_of(const Schema& schema);

 private:
  class View final : public json::PatchSchema {
   public:
    View(PatchSchemas& schemas, const Schema& schema) : schemas_(schemas), schema_(schema) {}

    std::optional<json::PatchField> field(std::string_view name) const override;
    std::string_view name() const override { return schema_.type_name; }
    bool shows(const Schema& schema) const { return &schema_ == &schema; }

   private:
    PatchSchemas& schemas_;
    const Schema& schema_;
  };

  std::deque<View> views_;
};

}  // namespace berth::apiserver
