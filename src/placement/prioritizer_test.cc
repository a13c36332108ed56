#include "placement/prioritizer.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

TEST(PrioritizerNotes, SilenceIsWhatAnAgentDidNotSay) {
  EXPECT_EQ(note_text(Note::None), "");
  for (const Note note : {Note::NoReport, Note::NoScore, Note::IsExpired}) {
    EXPECT_TRUE(is_silence(note));
    EXPECT_NE(note_text(note), "");
  }
  EXPECT_FALSE(is_silence(Note::None));
  EXPECT_FALSE(is_silence(Note::NoData));
}

}  // namespace
}  // namespace berth::placement
