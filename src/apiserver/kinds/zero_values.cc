#include "apiserver/kinds/zero_values.h"

#include <map>
#include <string>
#include <utility>

#include "apiserver/kinds/kinds_files.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Zeros = std::map<std::string, Value, std::less<>>;

// Of the table of types, where such a member has the default {} and a reference to its type.
class ZeroMaker {
 public:
  explicit ZeroMaker(const Value& types) : types_(types) {}

  Zeros make() {
    for (const json::Member& type : types_.members()) of(type.name());
    return std::move(zeros_);
  }

 private:
  // Structs cannot contain themselves, so this ends.
  const Value& of(std::string_view name) {
    const auto known = zeros_.find(name);
    if (known != zeros_.end()) return known->second;
    Value zero = Value::object();
    const Value* properties = types_.find_path({name, "properties"});
    if (properties) {
      for (const json::Member& member : properties->members()) {
        const Value* value = member.value.find("default");
        const Value* reference = member.value.find("$ref");
        if (!value) continue;
        if (value->is_object() && value->size() == 0 && reference) {
          zero[member.name()] = of(reference->string_or_empty());
        } else if (*value == Value("") || *value == Value(0) || *value == Value(false)) {
          zero[member.name()] = *value;
        }
      }
    }
    return zeros_.emplace(name, std::move(zero)).first->second;
  }

  const Value& types_;
  Zeros zeros_;
};

}  // namespace

const Value& zero_value(std::string_view type_name) {
  static const Zeros kZeros = ZeroMaker(read_kinds_file("types")).make();
  static const Value kNothing = Value::object();
  const auto found = kZeros.find(type_name);
  return found == kZeros.end() ? kNothing : found->second;
}

}  // namespace berth::apiserver
