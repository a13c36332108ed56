#include "json/token_index.h"

#include <algorithm>

#include <simdjson.h>

#include "base/check.h"

namespace berth::json {
namespace {

constexpr std::size_t kCapacityMin = 4096;
constexpr std::size_t kCapacityKept = std::size_t{1} << 20;  // Four bytes of index for each.
constexpr std::size_t kDepthUnused = 1;                      // The second stage is ours.

}  // namespace

struct TokenIndex::Scanner {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stages = {};
};

TokenIndex::TokenIndex() : scanner_(std::make_unique<Scanner>()) {}
TokenIndex::TokenIndex(TokenIndex&&) noexcept = default;
TokenIndex& TokenIndex::operator=(TokenIndex&&) noexcept = default;
TokenIndex::~TokenIndex() = default;

std::span<const std::uint32_t> TokenIndex::scan(std::string_view text) {
  CHECK(text.size() <= kTextMax);
  if (text.empty()) return {};
  auto& stages = scanner_->stages;
  if (!stages || stages->capacity() < text.size()) {
    const std::size_t capacity = std::max(kCapacityMin, text.size());
    stages.reset();
    CHECK(!simdjson::get_active_implementation()->create_dom_parser_implementation(
        capacity, kDepthUnused, stages));
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (stages->stage1(bytes, text.size(), simdjson::stage1_mode::regular)) return {};
  return {stages->structural_indexes.get(), stages->n_structural_indexes};
}

void TokenIndex::shrink() {
  if (scanner_->stages && scanner_->stages->capacity() > kCapacityKept) scanner_->stages.reset();
}

}  // namespace berth::json
