#include "client/object.h"

#include <tuple>
#include <utility>

namespace berth::client {
namespace {

std::string_view metadata_text(const json::Value& body, std::string_view name) {
  const json::Value* member = body.find_path({"metadata", name});
  return member ? member->string_or_empty() : std::string_view();
}

}  // namespace

Object::Object(json::Value body)
    : body_(std::move(body)),
      ns_(metadata_text(body_, "namespace")),
      name_(metadata_text(body_, "name")),
      uid_(metadata_text(body_, "uid")),
      resource_version_(metadata_text(body_, "resourceVersion")) {}

Result<ObjectPtr> make_object(json::Value document, const Projection& projection) {
  return make_object(projection.apply(std::move(document)));
}

Result<ObjectPtr> make_object(json::Value document) {
  auto object = std::make_shared<const Object>(std::move(document));
  if (object->name().empty()) return failure(Code::InternalError, "an object has no name");
  if (object->resource_version().empty()) {
    return failure(Code::InternalError, "object " + object->key().text() + " has no version");
  }
  return object;
}

bool ByKey::operator()(const ObjectPtr& a, const ObjectPtr& b) const {
  return std::tuple(a->ns(), a->name()) < std::tuple(b->ns(), b->name());
}

bool ByKey::operator()(const ObjectPtr& a, const ObjectKey& b) const {
  return std::tuple(a->ns(), a->name()) <
         std::tuple<std::string_view, std::string_view>(b.ns, b.name);
}

bool ByKey::operator()(const ObjectKey& a, const ObjectPtr& b) const {
  return std::tuple<std::string_view, std::string_view>(a.ns, a.name) <
         std::tuple(b->ns(), b->name());
}

}  // namespace berth::client
