#include "store/table_list.h"

#include <algorithm>
#include <utility>

namespace berth::store {
namespace {

// Both lists that a change copies are short when there are about the square of it.
constexpr std::size_t kChunkMax = 128;

bool is_before(const NamedTablePtr& table, std::string_view name) { return table->name < name; }

}  // namespace

TableList::TableList(const std::vector<NamedTablePtr>& tables) {
  constexpr std::ptrdiff_t kFilled = kChunkMax / 2;
  for (auto at = tables.begin(); at != tables.end();) {
    const auto end = at + std::min(kFilled, tables.end() - at);
    chunks_.push_back(std::make_shared<const Chunk>(at, end));
    at = end;
  }
}

// Where a table of that name is, or would be.
std::size_t TableList::chunk_of(std::string_view name) const {
  const auto at = std::ranges::lower_bound(
      chunks_, name, {}, [](const auto& chunk) { return std::string_view(chunk->back()->name); });
  const auto index = static_cast<std::size_t>(at - chunks_.begin());
  return at == chunks_.end() && index > 0 ? index - 1 : index;
}

const NamedTable* TableList::find(std::string_view name) const {
  if (chunks_.empty()) return nullptr;
  const Chunk& chunk = *chunks_[chunk_of(name)];
  const auto at = std::lower_bound(chunk.begin(), chunk.end(), name, is_before);
  return at != chunk.end() && (*at)->name == name ? at->get() : nullptr;
}

void TableList::put(NamedTablePtr table) {
  if (chunks_.empty()) {
    chunks_.push_back(std::make_shared<const Chunk>(1, std::move(table)));
    return;
  }
  const std::size_t index = chunk_of(table->name);
  Chunk chunk = *chunks_[index];
  const auto at = std::lower_bound(chunk.begin(), chunk.end(), table->name, is_before);
  if (at != chunk.end() && (*at)->name == table->name) {
    *at = std::move(table);
  } else {
    chunk.insert(at, std::move(table));
  }
  if (chunk.size() > kChunkMax) {
    const auto middle = chunk.begin() + static_cast<std::ptrdiff_t>(chunk.size() / 2);
    const auto place = chunks_.begin() + static_cast<std::ptrdiff_t>(index) + 1;
    chunks_.insert(place, std::make_shared<const Chunk>(middle, chunk.end()));
    chunk.erase(middle, chunk.end());
  }
  chunks_[index] = std::make_shared<const Chunk>(std::move(chunk));
}

void TableList::visit(std::string_view from, const Visitor& visitor) const {
  for (std::size_t i = chunk_of(from); i < chunks_.size(); ++i) {
    const Chunk& chunk = *chunks_[i];
    for (auto at = std::lower_bound(chunk.begin(), chunk.end(), from, is_before); at != chunk.end();
         ++at) {
      if (!visitor(*at)) return;
    }
  }
}

std::vector<NamedTablePtr> TableList::all() const {
  std::vector<NamedTablePtr> all;
  for (const auto& chunk : chunks_) all.insert(all.end(), chunk->begin(), chunk->end());
  return all;
}

}  // namespace berth::store
