// What watches look at that select by labels or fields: each version of an object is parsed once,
// however many of them there are, because they all look at the same changes at about the same time.

#pragma once

#include <cstddef>

#include <boost/unordered/unordered_flat_map.hpp>

#include "json/parse.h"
#include "json/value.h"
#include "store/entry.h"

namespace berth::apiserver {

class SeenObjects {
 public:
  // Of the texts of the objects that are kept. Beyond that all of them go.
  explicit SeenObjects(std::size_t bytes_max = 256 * 1024) : bytes_max_(bytes_max) {}

  // Null when the text is no JSON. Valid until the next call.
  const json::Value* at(const store::Entry& entry);

  // Whoever rests needs no memory.
  void forget();

  std::size_t size() const { return objects_.size(); }

 private:
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  json::Parser parser_;
  boost::unordered_flat_map<store::Revision, Result<json::Value>> objects_;  // No two share one.
};

}  // namespace berth::apiserver
