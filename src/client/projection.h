// Which fields of an object a cache keeps. What nobody reads costs no memory.

#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::client {

// Paths are written as in messages: "spec.containers[].resources". "[]" stands for every element of
// an array. A name with dots in it goes in quotes: "metadata.annotations.'example.com/x'". They
// come from our own code, so a path that cannot be read is a broken invariant.
class Projection {
 public:
  // All but what only servers and kubectl read: metadata.managedFields and the annotation that
  // keeps a whole second copy of the object.
  static Projection everything();

  // Everything but these paths.
  static Projection without(std::initializer_list<std::string_view> paths);

  // Only these paths, and what every cache needs: apiVersion, kind, and of metadata the name,
  // namespace, uid, resourceVersion, and deletionTimestamp.
  static Projection only(std::initializer_list<std::string_view> paths);

  // Numbers, strings and the order of members stay as they were.
  json::Value apply(json::Value object) const;

 private:
  struct Node {
    bool whole = false;  // The path ends here: this value with all that is below.
    std::map<std::string, Node, std::less<>> children = {};  // "[]" for elements.
  };
  enum class Mode { Keep, Drop };

  Projection(Mode mode, std::initializer_list<std::string_view> paths);
  void add(std::string_view path);
  static void drop(json::Value& value, const Node& node);
  static json::Value keep(json::Value& value, const Node& node);

  Mode mode_;
  Node root_;
};

}  // namespace berth::client
