#include <string>
#include <utility>
#include <vector>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "api/expressions/url.h"
#include "cel/map_builder.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Value;

constexpr std::string_view kTypeName = "kubernetes.URL";

class UrlValue final : public cel::Opaque {
 public:
  explicit UrlValue(Url url) : url_(std::move(url)) {}

  std::string_view type_name() const override { return kTypeName; }
  bool equals(const cel::Opaque& other) const override {
    return url_.text == static_cast<const UrlValue&>(other).url_.text;
  }
  std::string display() const override { return url_.text; }

  const Url& url() const { return url_; }

 private:
  Url url_;
};

const Url& url_in(const Value& value) {
  return static_cast<const UrlValue&>(value.as_opaque()).url();
}

Value parse(Call& call) {
  if (!call.context.charge(sizeof(UrlValue) + 3 * call[0].text().size())) {
    return call.context.cancelled();
  }
  auto url = Url::parse(call[0].text());
  if (!url.ok()) {
    return call.context.error(
        {"URL parse error during conversion from string: ", url.error().message});
  }
  return Value::opaque(*call.context.arena().make<UrlValue>(*std::move(url)));
}

Value is_url(Call& call) {
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  return Value::boolean(Url::parse(call[0].text()).ok());
}

Value scheme(Call& call) { return Value::string(url_in(call[0]).scheme); }
Value host(Call& call) { return Value::string(url_in(call[0]).host); }
Value hostname(Call& call) { return Value::string(url_in(call[0]).hostname()); }
Value port(Call& call) { return Value::string(url_in(call[0]).port()); }
Value escaped_path(Call& call) { return call.context.string(url_in(call[0]).escaped_path()); }

Value query(Call& call) {
  cel::MapBuilder builder;
  for (const auto& [name, values] : url_in(call[0]).query_values()) {
    std::vector<Value> texts;
    for (const std::string& value : values) texts.push_back(call.context.string(value));
    builder.set(call.context.string(name), call.context.list(texts));
    if (call.context.is_cancelled()) return call.context.cancelled();
  }
  return builder.build(call.context);
}

}  // namespace

void add_url_library(cel::Environment& environment) {
  constexpr auto kGlobal = cel::CallStyle::Global;
  constexpr auto kMember = cel::CallStyle::Member;
  using enum cel::TypeKind;
  const cel::Type url = cel::Type::opaque(std::string(kTypeName));
  const cel::Type values = cel::Type::map(String, cel::Type::list(String));
  add_entries(environment,
              {{"url", "string_to_url", kGlobal, {String}, url, parse},
               {"isURL", "is_url_string", kGlobal, {String}, Bool, is_url},
               {"getScheme", "url_get_scheme", kMember, {url}, String, scheme},
               {"getHost", "url_get_host", kMember, {url}, String, host},
               {"getHostname", "url_get_hostname", kMember, {url}, String, hostname},
               {"getPort", "url_get_port", kMember, {url}, String, port},
               {"getEscapedPath", "url_get_escaped_path", kMember, {url}, String, escaped_path},
               {"getQuery", "url_get_query", kMember, {url}, values, query}});
}

}  // namespace berth::api
