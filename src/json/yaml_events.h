// The events of a YAML text, one after the other: libyaml's parser with its memory taken care of.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::json {

enum class YamlEventType {
  StreamEnd,
  DocumentStart,
  DocumentEnd,
  Alias,
  Scalar,
  SequenceStart,
  SequenceEnd,
  MappingStart,
  MappingEnd,
};

// Counted from 1, columns in characters.
struct YamlMark {
  std::size_t line = 1;
  std::size_t column = 1;
};

struct YamlEvent {
  YamlEventType type = YamlEventType::StreamEnd;
  YamlMark mark = {};
  std::string anchor = {};  // Defined here or, for an alias, meant; "" if there is none.
  std::string tag = {};     // In full ("tag:yaml.org,2002:str"); "!" for an explicit "no tag".
  std::string text = {};    // Of a scalar.
  bool plain = false;       // A scalar without quotes and tag.
};

class YamlEvents {
 public:
  // `text` must outlive the object.
  explicit YamlEvents(std::string_view text);
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;
  ~YamlEvents();

  // The next event; after StreamEnd or an error there is none any more.
  Result<YamlEvent> next();

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// "line 7, column 3: PROBLEM".
Error yaml_error(YamlMark mark, std::string_view problem);

}  // namespace berth::json
