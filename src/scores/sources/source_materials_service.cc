// Tested by score_source_controller_test.cc.
#include "scores/sources/source_materials_service.h"

#include <utility>

#include "api/metadata.h"

namespace berth::scores {
namespace {

client::InformerSpec labelled(const char* resource) {
  return {.collection = {.resource = {"", "v1", resource}},
          .selection = {.labels = std::string(kSourceMaterialLabel) + "=true"}};
}

}  // namespace

SourceMaterials::SourceMaterials(const env::Env& env, client::Api& api, Changed changed,
                                 env::Task synced)
    : changed_(std::move(changed)),
      synced_(std::move(synced)),
      secrets_(env, api, labelled("secrets")),
      config_maps_(env, api, labelled("configmaps")) {
  follow(secrets_);
  follow(config_maps_);
}

void SourceMaterials::follow(client::InformerService& informer) {
  informer.add_handler(scope_.guard(
      [this](const client::Delta& delta) { changed_(std::string(delta.object().ns())); }));
  informer.when_synced(scope_.guard([this] {
    if (has_synced() && !std::exchange(told_, true)) synced_();
  }));
  informer.start();
}

bool SourceMaterials::has_synced() const {
  return secrets_.has_synced() && config_maps_.has_synced();
}

const json::Value* SourceMaterials::find(const std::string& ns, MaterialRef::Kind kind,
                                         const std::string& name) const {
  const auto& informer = kind == MaterialRef::Kind::Secret ? secrets_ : config_maps_;
  const client::ObjectPtr object = informer.store().find({.ns = ns, .name = name});
  // The server has selected by the label; a server that does not select is not trusted.
  const bool may = object && api::Metadata(object->body()).labels().find(kSourceMaterialLabel) ==
                                 std::string_view("true");
  return may ? &object->body() : nullptr;
}

}  // namespace berth::scores
