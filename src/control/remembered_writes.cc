#include "control/remembered_writes.h"

#include <variant>

#include "api/metadata.h"

namespace berth::control {
namespace {

const client::Gvr& resource_of(const Write& write) {
  if (const auto* create = std::get_if<CreateWrite>(&write)) return create->collection.resource;
  if (const auto* patch = std::get_if<PatchWrite>(&write)) return patch->path.resource;
  return std::get<DeleteWrite>(write).path.resource;
}

}  // namespace

Status RememberedWrites::on_answer(Result<json::Value> answer) {
  if (answer.ok() && writes_->write()) {
    const std::string_view version = api::Metadata(*answer).resource_version();
    if (!version.empty()) versions_[resource_of(*writes_->write())] = version;
  }
  return writes_->on_answer(std::move(answer));
}

std::string RememberedWrites::version_of(const client::Gvr& resource) const {
  const auto found = versions_.find(resource);
  return found == versions_.end() ? "" : found->second;
}

}  // namespace berth::control
