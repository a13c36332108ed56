// TableList: the tables of a snapshot, in the order of their names. A copy with another table in it
// shares all but a few dozen with the original, however many there are: a hub that carries a
// thousand clusters has tens of thousands.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/table.h"

namespace berth::store {

struct NamedTable {
  std::string name;
  Table table;
};
using NamedTablePtr = std::shared_ptr<const NamedTable>;

class TableList {
 public:
  TableList() = default;
  explicit TableList(const std::vector<NamedTablePtr>& tables);  // In the order of names.

  const NamedTable* find(std::string_view name) const;  // Null: there is none.

  // In the place of the one with its name, if there is one.
  void put(NamedTablePtr table);

  // From the first whose name is not less than `from`, until the visitor says false.
  using Visitor = std::function<bool(const NamedTablePtr& table)>;
  void visit(std::string_view from, const Visitor& visitor) const;

  std::vector<NamedTablePtr> all() const;

 private:
  using Chunk = std::vector<NamedTablePtr>;  // Never empty.

  std::size_t chunk_of(std::string_view name) const;

  std::vector<std::shared_ptr<const Chunk>> chunks_;
};

}  // namespace berth::store
