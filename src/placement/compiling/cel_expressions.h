// Predicates' expressions in CEL, with the variable managedCluster and its scores.

#pragma once

#include <memory>
#include <string_view>

#include "cel/environment.h"
#include "json/value.h"
#include "placement/compiling/expression.h"

namespace berth::placement {

class CelExpressions final : public ExpressionCompiler {
 public:
  CelExpressions();

  Result<std::shared_ptr<const Expression>> compile(std::string_view text) const override;

 private:
  std::shared_ptr<const cel::Environment> environment_;
};

// A ManagedCluster as expressions see it: what Go's typed object looks like when it is turned into
// maps. Quantities are canonical texts, taints always have timeAdded, status always has conditions
// (maybe null) and version, and neither kind nor apiVersion is there. This is what
// FleetView::put_cluster() wants as the object.
json::Value managed_cluster_for_expressions(json::Value object);

}  // namespace berth::placement
