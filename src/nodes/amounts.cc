#include "nodes/amounts.h"

#include <algorithm>

namespace berth::nodes {

std::int64_t amount_in(const Needs& needs, Column column) {
  const auto found = std::ranges::lower_bound(needs, column, {}, &Need::column);
  return found != needs.end() && found->column == column ? found->amount : 0;
}

Needs minus(const Needs& needs, const Needs& taken) {
  Needs left;
  left.reserve(needs.size());
  for (const Need& need : needs) {
    const std::int64_t amount = need.amount - amount_in(taken, need.column);
    if (amount > 0) left.push_back({need.column, amount});
  }
  return left;
}

bool covers(const Needs& room, const Needs& needs) {
  return std::ranges::all_of(
      needs, [&room](const Need& need) { return need.amount <= amount_in(room, need.column); });
}

ResourceColumns::ResourceColumns() {
  for (const std::string_view name : {"cpu", "memory", "ephemeral-storage", "pods"}) make(name);
}

Column ResourceColumns::make(std::string_view resource) {
  const auto [entry, is_new] =
      columns_.try_emplace(std::string(resource), static_cast<Column>(names_.size()));
  if (is_new) names_.emplace_back(resource);
  return entry->second;
}

std::optional<Column> ResourceColumns::find(std::string_view resource) const {
  const auto found = columns_.find(resource);
  if (found == columns_.end()) return std::nullopt;
  return found->second;
}

std::int64_t ResourceColumns::amount_of(Column column, const api::Quantity& quantity) const {
  return column == kCpu ? quantity.milli_value() : quantity.value();
}

ResourceColumns::Resolved ResourceColumns::resolve(const api::ResourceList& list) const {
  Resolved resolved;
  for (const api::ResourceAmount& entry : list.entries()) {
    const std::optional<Column> column = find(entry.name);
    if (!column) {
      if (entry.amount.sign() > 0) resolved.unknown.push_back(entry);
      continue;
    }
    const std::int64_t amount = amount_of(*column, entry.amount);
    if (amount > 0) resolved.needs.push_back({*column, amount});
  }
  std::ranges::sort(resolved.needs, {}, &Need::column);
  return resolved;
}

std::string ResourceColumns::text(Column column, std::int64_t amount) const {
  if (column == kCpu) return api::Quantity::from_milli(amount).to_string();
  const bool is_bytes = column == kMemory || column == kEphemeralStorage;
  return api::Quantity(
             amount, is_bytes ? api::Quantity::Format::BinarySI : api::Quantity::Format::DecimalSI)
      .to_string();
}

}  // namespace berth::nodes
