#include "client/entry_reader.h"

#include <utility>

#include <fmt/format.h>

#include "base/base64.h"

namespace berth::client {

EntryReader::EntryReader(const json::Value& entry, std::string place)
    : entry_(entry), place_(std::move(place)) {
  const bool usable = entry_.is_object() || entry_.is_null();
  if (!usable) {
    status_ = failure(Code::BadRequest, fmt::format("{}: expected object, found {}", place_,
                                                    json::kind_name(entry_.kind())));
  }
}

void EntryReader::fail(std::string_view name, std::string_view problem) {
  if (!status_.ok()) return;
  status_ = failure(Code::BadRequest, fmt::format("{}: {}: {}", place_, name, problem));
}

const json::Value* EntryReader::member(std::string_view name, json::Kind kind) {
  const json::Value* found = entry_.find(name);
  if (!found || found->is_null()) return nullptr;
  if (found->kind() == kind) return found;
  fail(name,
       fmt::format("expected {}, found {}", json::kind_name(kind), json::kind_name(found->kind())));
  return nullptr;
}

std::string EntryReader::text(std::string_view name) {
  const json::Value* found = member(name, json::Kind::String);
  return std::string(found ? found->string_or_empty() : std::string_view());
}

bool EntryReader::boolean(std::string_view name) {
  const json::Value* found = member(name, json::Kind::Boolean);
  return found && found->as_bool().value_or(false);
}

std::vector<std::string> EntryReader::texts(std::string_view name) {
  std::vector<std::string> result;
  const json::Value* found = array(name);
  if (!found) return result;
  for (const json::Value& element : found->elements()) {
    if (!element.is_string()) {
      fail(name, fmt::format("expected strings, found {}", json::kind_name(element.kind())));
      return {};
    }
    result.emplace_back(element.string_or_empty());
  }
  return result;
}

std::string EntryReader::base64(std::string_view name) {
  auto decoded = decode_base64(text(name));
  if (decoded.ok()) return *std::move(decoded);
  fail(name, decoded.error().message);
  return {};
}

const json::Value* EntryReader::object(std::string_view name) {
  return member(name, json::Kind::Object);
}

const json::Value* EntryReader::array(std::string_view name) {
  return member(name, json::Kind::Array);
}

}  // namespace berth::client
