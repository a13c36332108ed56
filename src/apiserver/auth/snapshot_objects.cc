#include "apiserver/auth/snapshot_objects.h"

#include <string>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

std::string_view table_of(TokenObject kind) {
  switch (kind) {
    case TokenObject::ServiceAccount:
      return "serviceaccounts";
    case TokenObject::Pod:
      return "pods";
    case TokenObject::Secret:
      return "secrets";
    case TokenObject::Node:
      break;
  }
  return "nodes";
}

}  // namespace

std::optional<json::Value> SnapshotObjects::find(TokenObject kind, std::string_view ns,
                                                 std::string_view name) const {
  std::string key(kind == TokenObject::Node ? std::string_view() : ns);
  if (!key.empty()) key += '/';
  key += name;
  const store::EntryPtr entry = snapshot_->table(table_of(kind)).find(key);
  if (!entry) return std::nullopt;
  auto object = json::parse(entry->text);
  if (!object.ok()) return std::nullopt;
  return *std::move(object);
}

std::vector<json::Value> rbac_objects(const store::Snapshot& snapshot) {
  std::vector<json::Value> objects;
  json::Parser parser;
  for (const std::string_view table : kRbacTables) {
    snapshot.table(table).visit("", [&](std::string_view, const store::EntryPtr& entry) {
      if (auto object = parser.parse(entry->text); object.ok()) {
        objects.push_back(*std::move(object));
      }
      return true;
    });
  }
  return objects;
}

}  // namespace berth::apiserver
