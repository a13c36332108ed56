#include "json/token_index.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace berth::json {
namespace {

std::vector<std::uint32_t> scan(std::string_view text) {
  TokenIndex index;
  const auto tokens = index.scan(text);
  return {tokens.begin(), tokens.end()};
}

// A page of memory with one behind it that must not be touched.
class GuardedPage {
 public:
  GuardedPage()
      : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        start_(static_cast<char*>(
            mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(start_ + size_, size_, PROT_NONE);
  }
  ~GuardedPage() { munmap(start_, 2 * size_); }

  // The text again, so placed that the byte after it cannot be read.
  std::string_view place(std::string_view text) {
    char* const target = start_ + size_ - text.size();
    std::memcpy(target, text.data(), text.size());
    return {target, text.size()};
  }

 private:
  std::size_t size_;
  char* start_;
};

TEST(TokenIndex, TellsWhereTokensStart) {
  EXPECT_EQ(scan(R"({"a": [1, true]})"),
            (std::vector<std::uint32_t>{0, 1, 4, 6, 7, 8, 10, 14, 15}));
  EXPECT_EQ(scan(R"("a,\"[")"), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(scan(R"("a"b"c")"), (std::vector<std::uint32_t>{0, 3}));
}

TEST(TokenIndex, IsEmptyForWhatHasNoTokens) {
  for (const std::string_view text : {"", " \n", "\"a", "\"a\nb\"", "\xff"}) {
    EXPECT_TRUE(scan(text).empty()) << text;
  }
}

TEST(TokenIndex, NeverReadsBeyondTheText) {
  GuardedPage page;
  for (std::size_t length = 1; length <= 300; ++length) {
    const std::string text = "\"" + std::string(length, 'x') + "\"";
    EXPECT_EQ(scan(page.place(text)), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(scan(page.place(std::string(length, '['))).size(), length);
  }
}

TEST(TokenIndex, WorksOnAfterALargeTextAndAShrink) {
  TokenIndex index;
  EXPECT_EQ(index.scan(std::string(5'000'000, '[')).size(), 5'000'000u);
  index.shrink();
  EXPECT_EQ(index.scan("[]").size(), 2u);
}

}  // namespace
}  // namespace berth::json
