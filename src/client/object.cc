#include "client/object.h"

#include <tuple>
#include <utility>

#include "json/text_of.h"

namespace berth::client {
namespace {}  // namespace

Object::Object(json::Value body)
    : body_(std::move(body)),
      ns_(text_at(body_, {"metadata", "namespace"})),
      name_(text_at(body_, {"metadata", "name"})),
      uid_(text_at(body_, {"metadata", "uid"})),
      resource_version_(text_at(body_, {"metadata", "resourceVersion"})) {}

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
