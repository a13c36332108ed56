// Short forms for the tables of functions that libraries consist of.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cel/environment.h"

namespace berth::api {

struct LibraryEntry {
  std::string function;
  std::string id;
  cel::CallStyle style;
  std::vector<cel::Type> parameters;
  cel::Type result;
  cel::Implementation implementation;
  cel::Prepare prepare = nullptr;
};

inline void add_entries(cel::Environment& environment, std::vector<LibraryEntry> entries) {
  for (LibraryEntry& entry : entries) {
    environment.add_function({.name = std::move(entry.function),
                              .overloads = {{.id = std::move(entry.id),
                                             .style = entry.style,
                                             .parameters = std::move(entry.parameters),
                                             .result = std::move(entry.result),
                                             .implementation = entry.implementation,
                                             .prepare = entry.prepare}}});
  }
}

}  // namespace berth::api
