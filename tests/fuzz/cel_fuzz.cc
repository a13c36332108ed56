#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/expressions/placement.h"
#include "base/check.h"
#include "cel/display.h"
#include "json/value.h"

namespace {

using berth::json::Value;

class OneScore final : public berth::api::ScoreLookup {
 public:
  berth::Result<const Value*> find_scores(std::string_view, std::string_view name) const override {
    if (name == "s") return &scores_;
    return berth::failure(berth::Code::NotFound, "no scores");
  }

 private:
  Value scores_ = Value::array({Value::object({{"name", "a"}, {"value", 1}})});
};

}  // namespace

// Any text: it compiles or tells why, and an evaluation ends within its limits.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto environment = berth::api::placement_environment();
  static const Value cluster = Value::object(
      {{"metadata", Value::object({{"name", "c"}, {"labels", Value::object({{"a", "b"}})}})},
       {"spec", Value::object({{"n", 1}, {"list", Value::array({1, 2.5, "x", nullptr, true})}})}});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto program = berth::cel::compile(environment, text);
  if (!program.ok()) {
    CHECK(!program.error().message.empty());
    return 0;
  }
  berth::cel::Arena arena;
  const berth::cel::Limits limits = {.cost_max = 10'000, .work_max = 1 << 20};
  const auto outcome =
      berth::api::evaluate_for_cluster(*program, cluster, OneScore(), arena, limits);
  berth::cel::display(outcome.value);
  return 0;
}
