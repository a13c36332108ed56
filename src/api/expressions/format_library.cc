#include <algorithm>
#include <string>
#include <vector>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "api/expressions/named_formats.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Value;

constexpr std::string_view kTypeName = "kubernetes.NamedFormat";

class FormatValue final : public cel::Opaque {
 public:
  explicit FormatValue(const NamedFormat& format) : format_(format) {}

  std::string_view type_name() const override { return kTypeName; }
  bool equals(const cel::Opaque& other) const override {
    return format_.name == static_cast<const FormatValue&>(other).format_.name;
  }
  std::string display() const override { return std::string(format_.name); }

  const NamedFormat& format() const { return format_; }

 private:
  const NamedFormat& format_;
};

Value make(cel::Context& context, const NamedFormat& format) {
  if (!context.charge(sizeof(FormatValue))) return context.cancelled();
  return Value::opaque(*context.arena().make<FormatValue>(format));
}

Value named(Call& call) {
  const NamedFormat* format = find_format(call[0].text());
  return format ? call.context.some(make(call.context, *format)) : Value::none();
}

template <std::size_t index>
Value constant(Call& call) {
  return make(call.context, named_formats()[index]);
}

Value validate(Call& call) {
  if (!call.context.charge(call[1].text().size())) return call.context.cancelled();
  const auto& format = static_cast<const FormatValue&>(call[0].as_opaque()).format();
  const Problems problems = format.check(call[1].text());
  if (problems.empty()) return Value::none();
  std::vector<Value> texts;
  for (const std::string& problem : problems) texts.push_back(call.context.string(problem));
  return call.context.some(call.context.list(texts));
}

// format.dns1123Label() and so on, one function for each format.
template <std::size_t... indexes>
void add_constants(cel::Environment& environment, const cel::Type& type,
                   std::index_sequence<indexes...>) {
  const auto add = [&](std::size_t index, cel::Implementation implementation) {
    const std::string name = "format." + std::string(named_formats()[index].name);
    add_entries(environment, {{name, name, cel::CallStyle::Global, {}, type, implementation}});
  };
  (add(indexes, constant<indexes>), ...);
}

}  // namespace

void add_format_library(cel::Environment& environment) {
  using enum cel::TypeKind;
  const cel::Type format = cel::Type::opaque(std::string(kTypeName));
  const cel::Type problems = cel::Type::optional(cel::Type::list(String));
  add_entries(environment, {{"format.named",
                             "format-named",
                             cel::CallStyle::Global,
                             {String},
                             cel::Type::optional(format),
                             named},
                            {"validate",
                             "format-validate",
                             cel::CallStyle::Member,
                             {format, String},
                             problems,
                             validate}});
  add_constants(environment, format, std::make_index_sequence<kNamedFormatCount>());
}

}  // namespace berth::api
