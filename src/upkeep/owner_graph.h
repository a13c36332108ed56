// Who owns whom, over all objects of a hub: what garbage collection has to look at when something
// changes. Of an object with neither owners nor a pending cascade only a fingerprint of 16 bytes is
// kept.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/object_key.h"
#include "json/value.h"

namespace berth::upkeep {

inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
inline constexpr std::string_view kOrphanFinalizer = "orphan";

using ResourceId = std::uint32_t;

struct ObjectId {
  ResourceId resource = 0;
  api::ObjectKey key = {};

  auto operator<=>(const ObjectId&) const = default;
};

struct Dependent {
  ObjectId id;
  std::string uid;
  bool blocks_owner = false;

  bool operator==(const Dependent&) const = default;
};

// It only says where to look: whether something is really gone is asked of the hub.
class OwnerGraph {
 public:
  using Affected = std::set<ObjectId>;

  // A resource whose objects will be told of; its group and kind are what references name.
  void follow(ResourceId resource, std::string group, std::string kind);

  // All of its objects are unknown from now on; who they own has to be looked at.
  Affected unfollow(ResourceId resource);

  // The object as it is now; as it was last; all objects that there are. The answer: what to look
  // at.
  Affected put(ResourceId resource, const json::Value& object);
  Affected remove(ResourceId resource, const json::Value& object);
  Affected replace(ResourceId resource, const std::vector<const json::Value*>& objects);

  // Whether there still is a reason to look at it: an owner that is not there or awaits its end, or
  // a cascade of its own.
  bool needs_look(const ObjectId& id) const;

  // Of an object that is followed.
  std::vector<Dependent> dependents_of(ResourceId resource, const json::Value& object) const;

  // Whether it waits until its dependents are gone.
  bool awaits_dependents(const ObjectId& id) const;

  // Whether the owner that the reference of an object in `ns` names is known and will stay.
  bool is_solid(const json::Value& reference, std::string_view ns) const;

  std::size_t objects() const { return present_.size(); }
  std::size_t tracked() const { return tracked_.size(); }

 private:
  using Fingerprint = std::array<std::uint64_t, 2>;
  struct FingerprintHash {
    using is_avalanching = void;
    std::size_t operator()(const Fingerprint& print) const { return print[0] ^ (print[1] << 1); }
  };
  struct Owner {
    Fingerprint anywhere;  // Without its namespace.
    bool blocks = false;

    bool operator==(const Owner&) const = default;
  };
  struct Tracked {
    std::string uid;
    Fingerprint self;
    std::vector<Owner> owners = {};
    bool awaits_dependents = false;
    bool orphans = false;
  };
  struct Kind {
    std::string group;
    std::string kind;
  };

  static Fingerprint print_of(const Kind& kind, std::string_view name, std::string_view uid);
  static Fingerprint within(Fingerprint anywhere, std::string_view ns);
  static Owner owner_of(const json::Value& reference);

  Tracked read(ResourceId resource, const json::Value& object) const;
  void link(const ObjectId& id, const Tracked& tracked);
  void unlink(const ObjectId& id, const Tracked& tracked);
  void forget(const ObjectId& id, Affected& affected);
  void add_waiting_owners(const ObjectId& id, const Tracked& tracked, Affected& affected) const;
  void add_dependents(Fingerprint anywhere, std::string_view ns, Affected& affected) const;
  bool needs_look(const ObjectId& id, const Tracked& tracked) const;
  bool is_present(Fingerprint anywhere, std::string_view ns) const;
  const ObjectId* find_waiting(Fingerprint anywhere, std::string_view ns) const;

  std::map<ResourceId, Kind> kinds_;
  boost::unordered_flat_map<Fingerprint, ResourceId, FingerprintHash> present_;
  std::map<ObjectId, Tracked> tracked_;                   // Dependents, and pending cascades.
  std::map<Fingerprint, std::set<ObjectId>> dependents_;  // By owner, in whatever namespace.
  std::map<Fingerprint, ObjectId> waiting_;               // Owners that await their dependents.
};

}  // namespace berth::upkeep
