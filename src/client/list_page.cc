#include "client/list_page.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "client/object.h"
#include "json/text_of.h"

namespace berth::client {
namespace {}  // namespace

ReadPage read_page(json::Value answer, const Projection& projection) {
  ReadPage read{
      .page = {.resource_version = std::string(text_at(answer, {"metadata", "resourceVersion"})),
               .continue_token = std::string(text_at(answer, {"metadata", "continue"}))}};
  json::Value* items = answer.find("items");
  for (json::Value& item : items ? items->elements() : std::span<json::Value>()) {
    auto object = make_object(std::move(item), projection);
    if (object.ok()) {
      read.page.items.push_back(*std::move(object));
    } else {
      read.skipped.push_back(std::move(object).error());
    }
  }
  return read;
}

}  // namespace berth::client
