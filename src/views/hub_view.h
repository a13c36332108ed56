// What people see of a hub: for each kind that matters to them, its columns and how an object
// becomes rows.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "base/time.h"
#include "json/value.h"
#include "views/table.h"

namespace berth::views {

// What a row may say besides its object.
struct Surroundings {
  Time now;
  std::map<std::string, std::vector<std::string>> bound = {};  // Namespaces by cluster set.
};

enum class Width { Usual, Wide };

struct HubView {
  std::string_view name;       // As in "berth get clusters".
  std::string_view singular;   // "cluster"
  std::string_view kind_name;  // As the server calls it: "managedclusters", also understood.
  api::Gvr resource;
  bool is_namespaced = false;
  // Of kinds with one object of this name in the namespace of each cluster: people name the
  // cluster.
  std::string_view object_name = {};
  Row columns;  // Without the namespace.
  Row wide;     // Those besides.

  // With the cells of all columns; several, where an object says several things.
  std::vector<Row> (*rows)(const json::Value& object, const Surroundings& surroundings);
};

std::span<const HubView> hub_views();

const HubView* find_view(std::string_view name);  // By any of its names; null: there is none.

// The view's columns and rows of these objects. With namespaces in front where `ns` is empty and
// the kind has them.
std::string view_text(const HubView& view, std::span<const json::Value> objects,
                      const Surroundings& surroundings, std::string_view ns, Width width);

// "45s", "7m", "5h", "3d": how long ago that was, or how long until then.
std::string age_text(Duration length);

}  // namespace berth::views
