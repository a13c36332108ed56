#include "api/resource_list.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace berth::api {
namespace {

std::string_view name_of(const ResourceAmount& entry) { return entry.name; }

}  // namespace

ResourceList::ResourceList(std::vector<ResourceAmount> amounts) {
  for (ResourceAmount& entry : amounts) set(entry.name, std::move(entry.amount));
}

Result<ResourceList> ResourceList::from_json(const json::Value* object) {
  ResourceList list;
  if (!object || object->is_null()) return list;
  if (!object->is_object()) {
    return failure(Code::Invalid, fmt::format("expected an object of quantities, found {}",
                                              json::kind_name(object->kind())));
  }
  list.entries_.reserve(object->size());
  for (const json::Member& member : object->members()) {
    auto amount = Quantity::from_json(member.value);
    if (!amount.ok()) return failure(std::move(amount).error().in_context(member.name()));
    list.set(member.name(), *std::move(amount));
  }
  return list;
}

std::vector<ResourceAmount>::iterator ResourceList::place_of(std::string_view name) {
  return std::ranges::lower_bound(entries_, name, {}, name_of);
}

const Quantity* ResourceList::find(std::string_view name) const {
  const auto place = std::ranges::lower_bound(entries_, name, {}, name_of);
  return place != entries_.end() && place->name == name ? &place->amount : nullptr;
}

Quantity ResourceList::amount(std::string_view name) const {
  const Quantity* found = find(name);
  return found ? *found : Quantity();
}

void ResourceList::set(std::string_view name, Quantity amount) {
  const auto place = place_of(name);
  if (place != entries_.end() && place->name == name) {
    place->amount = std::move(amount);
  } else {
    entries_.insert(place, {std::string(name), std::move(amount)});
  }
}

void ResourceList::add(const ResourceList& other) {
  for (const ResourceAmount& entry : other.entries_) {
    const auto place = place_of(entry.name);
    if (place != entries_.end() && place->name == entry.name) {
      place->amount += entry.amount;
    } else {
      entries_.insert(place, entry);
    }
  }
}

void ResourceList::raise_to(const ResourceList& other) {
  for (const ResourceAmount& entry : other.entries_) {
    const Quantity* mine = find(entry.name);
    if (!mine || *mine < entry.amount) set(entry.name, entry.amount);
  }
}

void ResourceList::fill_missing(const ResourceList& defaults) {
  for (const ResourceAmount& entry : defaults.entries_) {
    if (!find(entry.name)) set(entry.name, entry.amount);
  }
}

}  // namespace berth::api
