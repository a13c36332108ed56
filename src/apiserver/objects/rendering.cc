#include "apiserver/objects/rendering.h"

#include <utility>

#include <fmt/format.h>

#include "api/json_path.h"
#include "apiserver/objects/event_kinds.h"
#include "apiserver/objects/list_body.h"
#include "apiserver/objects/object_text.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kInitialEnd = "k8s.io/initial-events-end";
constexpr std::string_view kListTail = "]}\n";
constexpr std::size_t kShortListBytes = 128 * 1024;

bool is_short(const std::vector<store::EntryPtr>& entries) {
  std::size_t bytes = 0;
  for (const store::EntryPtr& entry : entries) {
    bytes += entry->text.size();
    if (bytes > kShortListBytes) return false;
  }
  return true;
}

std::shared_ptr<const RowPrinter> printer_of(const Resource& resource) {
  if (!resource.custom) {
    return std::make_shared<RowPrinter>(RowPrinter::builtin(resource.gvr.group, resource.kind));
  }
  return std::make_shared<RowPrinter>(RowPrinter::custom(
      resource.custom->columns, [](std::string_view path, const json::Value& object) {
        const auto parsed = api::JsonPath::parse(path);
        return parsed.ok() ? parsed->find(object) : std::vector<const json::Value*>();
      }));
}

}  // namespace

class RenderedEvents final : public EventForm {
 public:
  explicit RenderedEvents(Rendering rendering) : rendering_(std::move(rendering)) {}

  void append_object(std::string& text, std::string_view stored) override {
    if (rendering_.is_verbatim()) {
      text += stored;
    } else if (rendering_.form_ == AnswerForm::Table) {
      text += rendering_.row_table(stored, std::exchange(header_, TableHeader::Without));
    } else {
      text += rendering_.object(stored);
    }
  }

  void append_bookmark(std::string& text, store::Revision revision, bool is_initial_end) override {
    const Resource& resource = *rendering_.resource_;
    const bool is_table = rendering_.form_ == AnswerForm::Table;
    const bool is_partial = rendering_.form_ == AnswerForm::PartialMetadata;
    const std::string annotations =
        is_initial_end ? fmt::format(",\"annotations\":{{\"{}\":\"true\"}}", kInitialEnd) : "";
    const std::string metadata =
        fmt::format("\"metadata\":{{\"resourceVersion\":\"{}\",\"creationTimestamp\":null{}}}",
                    revision, annotations);
    if (is_table) {
      text += fmt::format(
          "{{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{{"
          "\"resourceVersion\":\"{}\"}},\"columnDefinitions\":[],\"rows\":[{{\"cells\":[],"
          "\"object\":{{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",{}}}"
          "}}]}}",
          revision, metadata);
      return;
    }
    text += fmt::format("{{\"kind\":\"{}\",\"apiVersion\":\"{}\",{}}}",
                        is_partial ? "PartialObjectMetadata" : resource.kind,
                        is_partial ? "meta.k8s.io/v1" : resource.api_version(), metadata);
  }

 private:
  Rendering rendering_;
  TableHeader header_ = TableHeader::With;
};

Rendering::Rendering(std::shared_ptr<const Resource> resource, AnswerForm form,
                     IncludeObject include, Time now)
    : resource_(std::move(resource)), form_(form), include_(include), now_(now) {
  if (form_ == AnswerForm::Table) printer_ = printer_of(*resource_);
}

bool Rendering::is_verbatim() const {
  return form_ == AnswerForm::Json && resource_->storage_version == resource_->api_version();
}

std::string Rendering::in_version(std::string_view stored) const {
  const std::string version = resource_->api_version();
  if (api_version_of(stored) == version) return std::string(stored);
  if (resource_->table != "events") return with_api_version(stored, version);
  const auto event = json::parse(stored);
  return event.ok() ? json::print(from_core_event(*event)) : std::string(stored);
}

std::string Rendering::partial(std::string_view stored) const {
  const auto object = json::parse(stored);
  const json::Value* metadata = object.ok() ? object->find("metadata") : nullptr;
  json::Value result =
      json::Value::object({{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}});
  result["metadata"] = metadata ? *metadata : json::Value::object();
  return json::print(result);
}

std::string Rendering::row_table(std::string_view stored, TableHeader header) const {
  const auto object = json::parse(in_version(stored));
  return print_table(*printer_, object.ok() ? *object : json::Value(),
                     {.include = include_, .header = header, .now = now_});
}

std::string Rendering::object(std::string_view stored) const {
  switch (form_) {
    case AnswerForm::Table:
      return row_table(stored, TableHeader::With);
    case AnswerForm::PartialMetadata:
      return partial(stored);
    case AnswerForm::Json:
    case AnswerForm::Discovery:
      break;
  }
  return in_version(stored);
}

std::string Rendering::list_head(const ListMetadata& metadata) const {
  const bool is_partial = form_ == AnswerForm::PartialMetadata;
  std::string text =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{{"resourceVersion":"{}")",
                  is_partial ? "PartialObjectMetadataList" : resource_->list_kind,
                  is_partial ? "meta.k8s.io/v1" : resource_->api_version(), metadata.revision);
  if (!metadata.continue_token.empty()) {
    text += fmt::format(R"(,"continue":"{}")", metadata.continue_token);
  }
  if (metadata.remaining_items) {
    text += fmt::format(R"(,"remainingItemCount":{})", *metadata.remaining_items);
  }
  text += R"(},"items":[)";
  return text;
}

std::string Rendering::list(const std::vector<store::EntryPtr>& entries,
                            const ListMetadata& metadata) const {
  if (form_ == AnswerForm::Table) {
    TableWriter writer(*printer_, {.include = include_, .now = now_},
                       {.resource_version = std::to_string(metadata.revision),
                        .continue_token = metadata.continue_token,
                        .remaining_items = metadata.remaining_items});
    for (const store::EntryPtr& entry : entries) {
      static_cast<void>(writer.add_text(in_version(entry->text)));  // What we stored is JSON.
    }
    return std::move(writer).finish();
  }
  std::string text = list_head(metadata);
  const bool verbatim = is_verbatim();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) text += ',';
    if (verbatim) {
      text += entries[i]->text;
    } else {
      text += object(entries[i]->text);
    }
  }
  text += kListTail;
  return text;
}

http::Body Rendering::list_body(std::vector<store::EntryPtr> entries,
                                const ListMetadata& metadata) const {
  // A short one tells its length and is sent at once.
  const bool is_copied = !is_verbatim() || is_short(entries);
  if (is_copied) return http::Body(list(entries, metadata));
  std::unique_ptr<http::BodySource> body =
      std::make_unique<ListBody>(list_head(metadata), std::move(entries), std::string(kListTail));
  return http::Body(std::move(body));
}

std::unique_ptr<EventForm> Rendering::event_form() const {
  return std::make_unique<RenderedEvents>(*this);
}

}  // namespace berth::apiserver
