// Puts the generator of a template into the namespace of every cluster that its Placement selects,
// and takes it away again.

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "scores/generators/generator_template.h"

namespace berth::scores {

class GeneratorTemplateController {
 public:
  // All that is borrowed outlives the controller.
  GeneratorTemplateController(const env::Env& env, client::Api& api, client::Informers& informers,
                              control::MayWrite may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind : std::uint8_t { Templates, Decisions, Generators };
  enum class Part : std::uint8_t { Generator, Status };
  struct Key {
    Part part;
    client::ObjectKey object;  // The generator, or the template.

    auto operator<=>(const Key&) const = default;
  };
  struct Decided {
    client::ObjectKey placement = {};
    std::vector<std::string> clusters = {};
  };

  void on_changed(Kind kind, const client::ObjectKey& key);
  void on_template(const client::ObjectKey& key);
  void on_decision(const client::ObjectKey& key);
  void on_generator(const client::ObjectKey& key);
  void add_generators(const client::ObjectKey& placement, const std::vector<std::string>& clusters);
  std::set<std::string> selected_by(const GeneratorTemplate& source) const;
  bool selects(const GeneratorTemplate& source, const std::string& cluster) const;

  void work(const Key& key);
  std::optional<control::Change> generator_change(const client::ObjectKey& key);
  std::optional<control::Change> status_change(const client::ObjectKey& key) const;
  const GeneratorTemplate* wanted_by(const client::ObjectKey& generator,
                                     const std::string& uid) const;
  bool may_delete(const client::ObjectKey& key);

  env::Env env_;
  control::Committer committer_;
  control::Reconciler<Key> reconciler_;
  std::map<client::ObjectKey, GeneratorTemplate> templates_;
  std::map<client::ObjectKey, Decided> decided_;                           // By the decision.
  std::map<client::ObjectKey, std::set<client::ObjectKey>> decisions_of_;  // By the Placement.
  std::map<client::ObjectKey, Instant> unwanted_;  // Generators, since when.
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::scores
