// Reads the typed fields of one entry of a configuration file, with errors that name the place.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::client {

// Absent and null mean the default value, as in Go. The first wrong field is kept as the error and
// everything after it reads as default: check status() once, at the end.
class EntryReader {
 public:
  // `place` starts every message: "config: users[1] (admin)". The entry outlives the reader.
  EntryReader(const json::Value& entry, std::string place);

  std::string text(std::string_view name);
  bool boolean(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  std::string base64(std::string_view name);  // Decoded.

  // The member if it is of that kind; nullptr when absent.
  const json::Value* object(std::string_view name);
  const json::Value* array(std::string_view name);

  void fail(std::string_view name, std::string_view problem);
  const Status& status() const { return status_; }

 private:
  const json::Value* member(std::string_view name, json::Kind kind);

  const json::Value& entry_;
  std::string place_;
  Status status_ = {};
};

}  // namespace berth::client
