#include "client/testing/model_store.h"

#include <algorithm>

#include "base/check.h"

namespace berth::client::testing {
namespace {

constexpr std::int64_t kFirst = 101;  // The revision of the first change.

}  // namespace

std::int64_t ModelStore::put(const std::string& name) {
  const auto known = state_.find(name);
  json::Value body;
  if (known != state_.end()) {
    body = known->second;
  } else {
    body = json::Value::object({{"apiVersion", "v1"}, {"kind", "ConfigMap"}});
    body["metadata"]["name"] = name;
    body["metadata"]["namespace"] = "default";
  }
  body["data"]["value"] = (revision_ + 1) * 7;
  return put(name, std::move(body));
}

std::int64_t ModelStore::put(const std::string& name, json::Value object) {
  const bool exists = state_.contains(name);
  if (!exists) object["metadata"]["uid"] = uid_prefix_ + std::to_string(++uids_);
  object["metadata"]["resourceVersion"] = std::to_string(++revision_);
  state_[name] = object;
  const auto type = exists ? WatchEvent::Type::Modified : WatchEvent::Type::Added;
  changes_.push_back({revision_, {.type = type, .object = std::move(object)}});
  backups_[revision_] = state_;
  return revision_;
}

std::int64_t ModelStore::erase(const std::string& name) {
  const auto known = state_.find(name);
  if (known == state_.end()) return revision_;
  json::Value body = known->second;
  body["metadata"]["resourceVersion"] = std::to_string(++revision_);
  state_.erase(known);
  changes_.push_back({revision_, {.type = WatchEvent::Type::Deleted, .object = std::move(body)}});
  backups_[revision_] = state_;
  return revision_;
}

void ModelStore::compact(std::int64_t revision) {
  compacted_ = std::clamp(revision, compacted_, revision_);
}

void ModelStore::restore(std::int64_t revision) {
  CHECK(backups_.contains(revision));
  state_ = backups_[revision];
  revision_ = revision;
  compacted_ = std::min(compacted_, revision);
  changes_.resize(static_cast<std::size_t>(revision - kFirst + 1));
  backups_.erase(backups_.upper_bound(revision), backups_.end());
}

const ModelStore::LoggedChange* ModelStore::after(std::int64_t revision) const {
  CHECK(revision >= compacted_);
  if (revision >= revision_) return nullptr;
  return &changes_[static_cast<std::size_t>(revision + 1 - kFirst)];
}

json::Value bookmark_at(std::int64_t revision) {
  json::Value body = json::Value::object({{"apiVersion", "v1"}, {"kind", "ConfigMap"}});
  body["metadata"]["resourceVersion"] = std::to_string(revision);
  return body;
}

json::Value initial_events_end_at(std::int64_t revision) {
  json::Value body = bookmark_at(revision);
  body["metadata"]["annotations"]["k8s.io/initial-events-end"] = "true";
  return body;
}

json::Value expired_status() {
  return json::Value::object({{"kind", "Status"},
                              {"apiVersion", "v1"},
                              {"status", "Failure"},
                              {"reason", "Expired"},
                              {"message", "too old resource version"},
                              {"code", 410}});
}

json::Value too_large_status() {
  json::Value cause = json::Value::object({{"reason", "ResourceVersionTooLarge"}});
  json::Value status = json::Value::object({{"kind", "Status"},
                                            {"apiVersion", "v1"},
                                            {"status", "Failure"},
                                            {"reason", "Timeout"},
                                            {"message", "Too large resource version"},
                                            {"code", 504}});
  status["details"]["causes"].push_back(std::move(cause));
  status["details"]["retryAfterSeconds"] = 1;
  return status;
}

}  // namespace berth::client::testing
