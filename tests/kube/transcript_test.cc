#include "kube/transcript.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

constexpr std::string_view kTranscript = R"(# Why.
$ kubectl create -f - <<END
> kind: Namespace
>
> END
  namespace/one created

$ kubectl describe ns one
[1.30]
  Name:  one

  No events.
[1.35 1.36]
  Name:    one
)";

TEST(Transcript, KeepsEveryCommandWithTheOutputOfEachVersion) {
  const auto transcript = parse_transcript(kTranscript, {"1.30", "1.35", "1.36"});
  ASSERT_TRUE(transcript.ok()) << transcript.error().message;
  ASSERT_EQ(transcript->steps.size(), 2U);
  const TranscriptStep& create = transcript->steps[0];
  EXPECT_EQ(create.command, "kubectl create -f - <<END\nkind: Namespace\n\nEND");
  EXPECT_EQ(create.expected.at("1.36"), "namespace/one created\n");
  const TranscriptStep& describe = transcript->steps[1];
  EXPECT_EQ(describe.expected.at("1.30"), "Name:  one\n\nNo events.\n");
  EXPECT_EQ(describe.expected.at("1.35"), "Name:    one\n");
}

TEST(Transcript, IsPrintedAsItWasRead) {
  const auto transcript = parse_transcript(kTranscript, {"1.30", "1.35", "1.36"});
  ASSERT_TRUE(transcript.ok());
  EXPECT_EQ(print_transcript(*transcript), kTranscript);
}

TEST(Transcript, SaysWhichLineIsNeitherACommandNorOutput) {
  const auto transcript = parse_transcript("$ true\noops\n", {"1.30"});
  ASSERT_FALSE(transcript.ok());
  EXPECT_EQ(transcript.error().message, "line 2: expected output, indented by two spaces");
}

TEST(Transcript, MasksWhatDiffersFromRunToRun) {
  EXPECT_EQ(masked("NAME   AGE   IMAGE\none    5s    x\ntwo    1m5s   x"),
            "NAME   AGE   IMAGE\none    AGE   x\ntwo    AGE   x\n");
  EXPECT_EQ(masked("  uid: 0cd61bc5-1d6c-43f2-8a8e-7c2b6a3e0f11  \n\n"), "  uid: UID\n");
  EXPECT_EQ(masked("\"resourceVersion\": \"71\""), "\"resourceVersion\": REVISION\n");
  EXPECT_EQ(masked("2026-01-02T03:04:05Z at https://127.0.0.1:6443"), "TIME at https://SERVER\n");
  EXPECT_EQ(masked("op=Exists for 300s"), "op=Exists for 300s\n");
}

}  // namespace
}  // namespace berth::kube
