#include "client/list_page.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "client/object.h"

namespace berth::client {
namespace {

std::string text_at(const json::Value& document, std::string_view name) {
  const json::Value* member = document.find_path({"metadata", name});
  return std::string(member ? member->string_or_empty() : std::string_view());
}

}  // namespace

ReadPage read_page(json::Value answer, const Projection& projection) {
  ReadPage read{.page = {.resource_version = text_at(answer, "resourceVersion"),
                         .continue_token = text_at(answer, "continue")}};
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
