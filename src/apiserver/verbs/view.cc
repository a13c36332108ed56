#include "apiserver/verbs/view.h"

#include "json/parse.h"

namespace berth::apiserver {

std::optional<json::Value> View::find(std::string_view table, std::string_view name) const {
  const store::EntryPtr entry = snapshot->table(table).find(name);
  if (!entry) return std::nullopt;
  auto object = json::parse(entry->text);
  if (!object.ok()) return std::nullopt;
  return *std::move(object);
}

std::string table_name(std::string_view ns, std::string_view name) {
  std::string text(ns);
  if (!ns.empty()) text += '/';
  text += name;
  return text;
}

}  // namespace berth::apiserver
