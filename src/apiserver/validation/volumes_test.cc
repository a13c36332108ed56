#include "apiserver/validation/volumes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::found_in;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void check_all(const Place& spec, Complaints& complaints) {
  const VolumeNames names = check_volumes(spec["volumes"], complaints);
  check_mounts(spec["container"], names, complaints);
}

TEST(Volumes, HaveNamesAndOneSource) {
  EXPECT_THAT(
      found_in(check_all,
               "volumes: [{name: a, emptyDir: {}}, {name: b, secret: {secretName: s}}, {name: c, "
               "nfs: {server: s, path: /}}]"),
      IsEmpty());
  EXPECT_THAT(
      found_in(check_all,
               "volumes: [{name: A_, emptyDir: {}}, {emptyDir: {}}, {name: c, emptyDir: {}, nfs: "
               "{server: s}}, {name: d, configMap: {}}, {name: e, hostPath: {path: /a/../b}}]"),
      ElementsAre(HasSubstr("volumes[0].name: Invalid value"), "volumes[1].name: Required value",
                  "volumes[2].nfs: Forbidden: may not specify more than 1 volume type",
                  "volumes[3].configMap.name: Required value",
                  "volumes[4].hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"));
}

TEST(Volumes, FilesStayInside) {
  EXPECT_THAT(
      found_in(
          check_all,
          "volumes: [{name: a, secret: {secretName: s, defaultMode: 512, items: [{key: k, path: "
          "/x}, {key: k, path: ..x}, {key: k, path: a/../x}]}}]"),
      ElementsAre(HasSubstr("defaultMode: Invalid value: 512"),
                  HasSubstr("must be a relative path"), HasSubstr("must not start with '..'"),
                  HasSubstr("must not contain '..'")));
}

TEST(Volumes, OnlyWhatIsThereAndRightCanBeMounted) {
  EXPECT_THAT(
      found_in(check_all,
               "{volumes: [{name: a, emptyDir: {}}, {name: b, secret: {}}], container: "
               "{volumeMounts: [{name: a, mountPath: /a}, {name: b, mountPath: /a}, {name: c, "
               "mountPath: /c, subPath: /x}], volumeDevices: [{name: d}]}}"),
      ElementsAre("volumes[1].secret.secretName: Required value",
                  "container.volumeMounts[1].name: Not found: \"b\"",
                  "container.volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique",
                  "container.volumeMounts[2].name: Not found: \"c\"",
                  "container.volumeMounts.subPath: Invalid value: \"/x\": must be a relative path",
                  "container.volumeDevices[0].name: Not found: \"d\"",
                  "container.volumeDevices[0].devicePath: Required value"));
}

}  // namespace
}  // namespace berth::apiserver
