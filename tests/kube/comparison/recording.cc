#include "kube/comparison/recording.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::kube {
namespace {

using json::Value;

Value document_of(const Objects& objects) {
  Value document = Value::object();
  for (const ObjectKind kind : kObjectKinds) {
    for (const auto& [name, object] : objects.all(kind)) {
      document[kind_name(kind)][to_string(name)] = object;
    }
  }
  return document;
}

Objects objects_of(const Value& document) {
  Objects objects;
  for (const ObjectKind kind : kObjectKinds) {
    for (const auto& member : api::field(document, kind_name(kind)).members()) {
      objects.put(kind, member.value);
    }
  }
  return objects;
}

// Makes `document` the next one. What merge patches cannot say is in no document.
Result<Value> advance(Value& document, Value next) {
  Value patch = json::create_merge_patch(document, next);
  document = json::apply_merge_patch(std::move(document), patch);
  if (document != next) return failure(Code::Invalid, "a null in " + json::print(next));
  return patch;
}

}  // namespace

Result<Recorder> Recorder::create(const std::filesystem::path& file, const Value& head) {
  Recorder recorder;
  recorder.file_.open(file);
  recorder.file_ << json::print(head) << "\n";
  if (!recorder.file_) return failure(Code::InternalError, "cannot write " + file.string());
  return recorder;
}

Status Recorder::write(const Observation& seen) {
  if (seed_ != seen.seed) document_ = Value::object();
  seed_ = seen.seed;
  Value settled = document_of(seen.settled);
  for (const auto& [name, answer] : seen.answers) settled["answers"][to_string(name)] = answer;
  Value edited = document_of(seen.edited);
  // Not asked for between edit and rest: so they are told when they change.
  if (const Value* answers = document_.find("answers")) edited["answers"] = *answers;
  Value line = Value::object({{"seed", seen.seed}, {"step", seen.step}, {"edit", seen.edit}});
  line["edited_at"] = format_nanos(seen.edited_at);
  ASSIGN_OR_RETURN(line["edited"], advance(document_, std::move(edited)));
  line["settled_at"] = format_nanos(seen.settled_at);
  ASSIGN_OR_RETURN(line["settled"], advance(document_, std::move(settled)));
  for (const ObjectName& name : seen.restless) line["restless"].push_back(to_string(name));
  file_ << json::print(line) << std::endl;
  return file_ ? Status() : failure(Code::InternalError, "the recording cannot be written");
}

Result<Recording> Recording::open(const std::filesystem::path& file) {
  Recording recording;
  recording.file_.open(file);
  std::string line;
  if (!std::getline(recording.file_, line)) {
    return failure(Code::NotFound, "nothing in " + file.string());
  }
  ASSIGN_OR_RETURN(recording.head_, json::parse(line));
  return recording;
}

Result<std::optional<Observation>> Recording::next() {
  std::string text;
  if (!std::getline(file_, text)) return std::nullopt;
  ASSIGN_OR_RETURN(const Value line, json::parse(text));
  Observation seen;
  seen.seed = static_cast<std::uint64_t>(api::integer_field(line, "seed").value_or(0));
  seen.step = static_cast<int>(api::integer_field(line, "step").value_or(0));
  seen.edit = api::text_field(line, "edit");
  if (seed_ != seen.seed) document_ = Value::object();
  seed_ = seen.seed;
  document_ = json::apply_merge_patch(std::move(document_), api::field(line, "edited"));
  seen.edited = objects_of(document_);
  ASSIGN_OR_RETURN(seen.edited_at, parse_rfc3339(api::text_field(line, "edited_at")));
  document_ = json::apply_merge_patch(std::move(document_), api::field(line, "settled"));
  seen.settled = objects_of(document_);
  ASSIGN_OR_RETURN(seen.settled_at, parse_rfc3339(api::text_field(line, "settled_at")));
  for (const std::string& name : api::texts_field(line, "restless")) {
    seen.restless.insert(name_from(name));
  }
  for (const auto& answer : api::field(document_, "answers").members()) {
    seen.answers[name_from(answer.name())] = answer.value;
  }
  return seen;
}

}  // namespace berth::kube
