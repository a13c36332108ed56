#include "kube/guide.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

constexpr std::string_view kGuide = R"(# A guide

```console
# First.
$ kubectl create -f - <<END
> kind: Namespace
> END
namespace/one created

# Second.
$ kubectl get ns
NAME   AGE
one    5s
```

```sh
echo one
echo two
```

```sh
# Not run by the tests: it needs Docker.
make images
```

```yaml
kind: Namespace
```
)";

TEST(Guide, HasTheCommandsOfItsBlocksInOrder) {
  const auto guide = parse_guide(kGuide);
  ASSERT_TRUE(guide.ok()) << guide.error().message;
  ASSERT_EQ(guide->steps.size(), 3U);
  const GuideStep& create = guide->steps[0];
  EXPECT_EQ(create.command, "kubectl create -f - <<END\nkind: Namespace\nEND");
  EXPECT_EQ(create.line, 5);
  EXPECT_EQ(create.output, std::vector<std::string>{"namespace/one created"});
  EXPECT_EQ(guide->steps[1].output.size(), 2U);
  EXPECT_EQ(guide->steps[2].command, "echo one\necho two");
  EXPECT_EQ(guide->steps[2].line, 17);
  EXPECT_FALSE(guide->steps[2].shows_output);
  EXPECT_EQ(guide->not_run, std::vector<std::string>{"it needs Docker."});
}

TEST(Guide, IsRewrittenInItsOutputsOnly) {
  const auto guide = parse_guide(kGuide);
  ASSERT_TRUE(guide.ok());
  EXPECT_EQ(with_outputs(*guide, {"namespace/one created\n", "NAME   AGE\none    5s\n", ""}),
            kGuide);
  const std::string other = with_outputs(*guide, {"", "No resources found\n", ""});
  EXPECT_TRUE(other.contains("> END\n\n# Second.\n$ kubectl get ns\nNo resources found\n```\n"))
      << other;
}

TEST(Guide, SaysWhichLineIsWrong) {
  const auto message = [](std::string_view text) {
    const auto guide = parse_guide(text);
    return guide.ok() ? "none" : guide.error().message;
  };
  EXPECT_EQ(message("```\nberth up\n```\n"),
            "line 1: a block says what it is: console, sh, yaml, json, text");
  EXPECT_EQ(message("```console\nberth up\n```\n"), "line 2: expected a command: $ ...");
  EXPECT_EQ(message("```text\n$ berth up\n```\n"),
            "line 2: a command outside of a block of console or sh");
  EXPECT_EQ(message("```sh\nberth up\n"), "the block is not closed");
}

TEST(Guide, KnowsWhatDiffersFromRunToRun) {
  const GuideStep step{.output = {"NAME   AGE", "one    5s", "...", "at 10:00:01: a ... of it"}};
  EXPECT_TRUE(is_shown(step, "NAME       AGE\none        2m7s\nat 11:12:13: a little bit of it\n"));
  EXPECT_TRUE(is_shown(step, "NAME   AGE\none    5s\ntwo   5s\nat 11:12:13: a part of it\n"));
  EXPECT_FALSE(is_shown(step, "NAME   AGE\ntwo    5s\nat 11:12:13: a part of it\n"));
  EXPECT_FALSE(is_shown(step, "NAME   AGE\none    5s\nat 11:12:13: a part of it\nmore\n"));
  EXPECT_TRUE(begins_as_shown(step, "NAME   AGE\none    5s\nat 11:12:13: a part of it\nmore\n"));
  EXPECT_TRUE(is_shown({}, ""));
  EXPECT_FALSE(is_shown({}, "error\n"));
}

}  // namespace
}  // namespace berth::kube
