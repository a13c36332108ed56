#include "json/yaml_events.h"

#include <utility>

#include <fmt/format.h>
#include <yaml.h>

#include "base/check.h"
#include "json/syntax_error.h"

namespace berth::json {
namespace {

std::string string_of(const yaml_char_t* text) {
  return text ? reinterpret_cast<const char*>(text) : "";
}

YamlMark mark_of(const yaml_mark_t& mark) {
  return {.line = mark.line + 1, .column = mark.column + 1};
}

}  // namespace

struct YamlEvents::Parser {
  std::string_view text;
  yaml_parser_t parser = {};

  Error error() const;
  YamlEvent convert(const yaml_event_t& event) const;
  void convert_scalar(const yaml_event_t& event, YamlEvent& result) const;
};

Error YamlEvents::Parser::error() const {
  const std::string problem = parser.problem ? parser.problem : "unreadable YAML";
  if (parser.error == YAML_READER_ERROR) return syntax_error(problem, text, parser.problem_offset);
  const YamlMark mark = mark_of(parser.problem_mark);
  if (!parser.context) return yaml_error(mark, problem);
  return yaml_error(mark, fmt::format("{} {} that starts in line {}", problem, parser.context,
                                      parser.context_mark.line + 1));
}

void YamlEvents::Parser::convert_scalar(const yaml_event_t& event, YamlEvent& result) const {
  const auto& scalar = event.data.scalar;
  result.type = YamlEventType::Scalar;
  result.anchor = string_of(scalar.anchor);
  result.tag = string_of(scalar.tag);
  result.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
  // libyaml does not tell "! 12" from "12".
  const std::size_t start = event.start_mark.index;
  if (result.tag.empty() && start < text.size() && text[start] == '!') result.tag = "!";
  result.plain = result.tag.empty() && scalar.plain_implicit != 0;
}

YamlEvent YamlEvents::Parser::convert(const yaml_event_t& event) const {
  YamlEvent result;
  result.mark = mark_of(event.start_mark);
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      result.type = YamlEventType::DocumentStart;
      break;
    case YAML_DOCUMENT_END_EVENT:
      result.type = YamlEventType::DocumentEnd;
      break;
    case YAML_ALIAS_EVENT:
      result.type = YamlEventType::Alias;
      result.anchor = string_of(event.data.alias.anchor);
      break;
    case YAML_SCALAR_EVENT:
      convert_scalar(event, result);
      break;
    case YAML_SEQUENCE_START_EVENT:
      result.type = YamlEventType::SequenceStart;
      result.anchor = string_of(event.data.sequence_start.anchor);
      break;
    case YAML_SEQUENCE_END_EVENT:
      result.type = YamlEventType::SequenceEnd;
      break;
    case YAML_MAPPING_START_EVENT:
      result.type = YamlEventType::MappingStart;
      result.anchor = string_of(event.data.mapping_start.anchor);
      break;
    case YAML_MAPPING_END_EVENT:
      result.type = YamlEventType::MappingEnd;
      break;
    default:
      result.type = YamlEventType::StreamEnd;
  }
  return result;
}

YamlEvents::YamlEvents(std::string_view text) : parser_(std::make_unique<Parser>(Parser{text})) {
  yaml_parser_t* const parser = &parser_->parser;
  CHECK(yaml_parser_initialize(parser));
  yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(parser, reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
}

YamlEvents::~YamlEvents() { yaml_parser_delete(&parser_->parser); }

Result<YamlEvent> YamlEvents::next() {
  yaml_event_t event;
  do {
    if (!yaml_parser_parse(&parser_->parser, &event)) return failure(parser_->error());
  } while (event.type == YAML_STREAM_START_EVENT);
  YamlEvent result = parser_->convert(event);
  yaml_event_delete(&event);
  return result;
}

Error yaml_error(YamlMark mark, std::string_view problem) {
  return {.code = Code::BadRequest,
          .message = fmt::format("line {}, column {}: {}", mark.line, mark.column, problem)};
}

}  // namespace berth::json
