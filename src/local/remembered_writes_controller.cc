// Tested by workloads_controller_test.cc.
#include "local/remembered_writes_controller.h"

#include <variant>

#include "api/metadata.h"

namespace berth::local {
namespace {

const client::Gvr& resource_of(const control::Write& write) {
  if (const auto* create = std::get_if<control::CreateWrite>(&write)) {
    return create->collection.resource;
  }
  if (const auto* patch = std::get_if<control::PatchWrite>(&write)) return patch->path.resource;
  return std::get<control::DeleteWrite>(write).path.resource;
}

}  // namespace

Status RememberedWrites::on_answer(Result<json::Value> answer) {
  if (answer.ok() && writes_->write()) {
    const std::string_view version = api::Metadata(*answer).resource_version();
    if (!version.empty()) versions_[resource_of(*writes_->write())] = version;
  }
  return writes_->on_answer(std::move(answer));
}

}  // namespace berth::local
