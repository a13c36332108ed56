#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(StorageTables, ShowVolumes) {
  EXPECT_EQ(
      row_of("", "PersistentVolume", R"(
spec:
  capacity: {storage: 1024Mi}
  accessModes: [ReadWriteMany, ReadWriteOnce, ReadWriteMany]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: fast
  volumeMode: Filesystem
  claimRef: {namespace: ns, name: data}
status: {phase: Bound, reason: why})"),
      "x | 1Gi | RWO,RWX | Retain | Bound | ns/data | fast | <unset> | why | 3h | Filesystem");
  EXPECT_EQ(row_of("", "PersistentVolume", R"(
metadata:
  deletionTimestamp: "2026-01-01T00:00:00Z"
  annotations: {volume.beta.kubernetes.io/storage-class: old}
spec: {storageClassName: fast}
status: {phase: Released})"),
            "x | 0 |  |  | Terminating |  | old | <unset> |  | 3h | <unset>");
}

TEST(StorageTables, ShowWhatAClaimGotOnceItGotSomething) {
  EXPECT_EQ(row_of("", "PersistentVolumeClaim", R"(
spec: {volumeName: pv, volumeMode: Block, storageClassName: s, volumeAttributesClassName: gold}
status: {phase: Bound, capacity: {storage: 2Gi}, accessModes: [ReadWriteOncePod]})"),
            "x | Bound | pv | 2Gi | RWOP | s | gold | 3h | Block");
  EXPECT_EQ(row_of("", "PersistentVolumeClaim", R"(
spec: {resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce]}
status: {phase: Pending})"),
            "x | Pending |  |  |  |  | <unset> | 3h | <unset>");
}

TEST(StorageTables, MarkTheDefaultClass) {
  EXPECT_EQ(row_of("storage.k8s.io", "StorageClass", R"(
metadata: {annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: p
allowVolumeExpansion: true)"),
            "x (default) | p | Delete | Immediate | true | 3h");
  EXPECT_EQ(row_of("storage.k8s.io", "StorageClass",
                   "{provisioner: p, reclaimPolicy: Retain, volumeBindingMode: W}"),
            "x | p | Retain | W | false | 3h");
}

TEST(StorageTables, ShowTheKindsOfDrivers) {
  EXPECT_EQ(row_of("storage.k8s.io", "CSINode", "spec: {drivers: [{}, {}]}"), "x | 2 | 3h");
  EXPECT_EQ(row_of("storage.k8s.io", "CSIDriver", "spec: {}"),
            "x | true | false | false | <unset> | false | <none> | 3h");
  EXPECT_EQ(row_of("storage.k8s.io", "CSIDriver",
                   "spec: {attachRequired: false, tokenRequests: [{audience: a}, {audience: b}], "
                   "volumeLifecycleModes: [Persistent]}"),
            "x | false | false | false | a,b | false | Persistent | 3h");
  EXPECT_EQ(
      row_of("storage.k8s.io", "VolumeAttachment",
             "{spec: {attacher: a, nodeName: node, source: {persistentVolumeName: pv}}, status: "
             "{attached: true}}"),
      "x | a | pv | node | true | 3h");
  EXPECT_EQ(row_of("storage.k8s.io", "VolumeAttributesClass", "driverName: d"), "x | d | 3h");
}

}  // namespace
}  // namespace berth::apiserver
