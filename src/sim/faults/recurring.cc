// Tested by faults_test.cc.

#include "sim/faults/recurring.h"

#include <optional>
#include <utility>

#include <fmt/core.h>

namespace berth::sim {
namespace {

class RecurringFault final : public Fault {
 public:
  RecurringFault(Random random, Recurring what) : random_(random), what_(std::move(what)) {}

  std::string describe() const override { return what_.description; }
  void begin(World& world) override {
    episodes_.emplace(world, random_, what_.between, what_.strike);
  }
  void end(World& world) override {
    episodes_.reset();
    what_.undo(world);
  }

 private:
  Random random_;
  Recurring what_;
  std::optional<Episodes> episodes_;
};

}  // namespace

std::unique_ptr<Fault> recurring(Random random, Recurring what) {
  return std::make_unique<RecurringFault>(random, std::move(what));
}

std::unique_ptr<Fault> recurring(Random random, const Spells& spells) {
  const auto strike = [spells](World& world, Random& drawn) {
    spells.strike(world, drawn, spells.lasts_most);
  };
  return recurring(random, Recurring{.description = fmt::format(
                                         "{}: about every {} for up to {}", spells.name,
                                         to_text(spells.between), to_text(spells.lasts_most)),
                                     .between = spells.between,
                                     .strike = strike,
                                     .undo = spells.undo});
}

}  // namespace berth::sim
