// Which fields of an object a cache keeps. What nobody reads costs no memory.

#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

 public:
  enum class Share { Nothing, Part, Whole };

  // A place in an object that is kept in part: for readers that leave out what is not kept while
  // they read. Points into the projection.
  class Place {
   public:
    Share share_of(std::string_view name) const;  // "[]": of each element.
    Place inside(std::string_view name) const;    // Of what is kept in part.

    // Whether members that no path names are kept.
    bool keeps_unnamed() const { return mode_ == Mode::Drop; }
    std::vector<std::string_view> named() const;

   private:
    friend class Projection;
    Place(Mode mode, const Node& node) : mode_(mode), node_(&node) {}

    Mode mode_;
    const Node* node_;
  };
  Place root() const { return Place(mode_, root_); }

 private:
  Projection(Mode mode, std::initializer_list<std::string_view> paths);
  void add(std::string_view path);
  static void drop(json::Value& value, const Node& node);
  static json::Value keep(json::Value& value, const Node& node);

  Mode mode_;
  Node root_;
};

}  // namespace berth::client
