#include <gtest/gtest.h>

#include "apiserver/defaults/testing/filled.h"

namespace berth::apiserver {
namespace {

using testing::filled;

TEST(StorageRules, CompleteVolumesAndClaims) {
  EXPECT_EQ(filled("", "PersistentVolume",
                   "spec: {capacity: {storage: 1024Mi}, hostPath: {path: /}}", "spec"),
            R"({"capacity":{"storage":"1Gi"},"hostPath":{"path":"/","type":""},)"
            R"("persistentVolumeReclaimPolicy":"Retain","volumeMode":"Filesystem"})");
  EXPECT_EQ(filled("", "PersistentVolume", "{}", "status"), R"({"phase":"Pending"})");
  EXPECT_EQ(filled("", "PersistentVolumeClaim", "spec: {resources: {requests: {storage: 1024Mi}}}",
                   "spec"),
            R"({"resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"})");
}

TEST(StorageRules, CompleteTheSourcesThatHaveDefaults) {
  EXPECT_EQ(filled("", "PersistentVolume", "spec: {rbd: {pool: p}}", "spec.rbd"),
            R"({"pool":"p","user":"admin","keyring":"/etc/ceph/keyring"})");
  EXPECT_EQ(filled("", "PersistentVolume", "spec: {iscsi: {}}", "spec.iscsi"),
            R"({"iscsiInterface":"default"})");
}

TEST(StorageRules, CompleteClassesAndDrivers) {
  EXPECT_EQ(filled("storage.k8s.io", "StorageClass", "reclaimPolicy: Retain", "volumeBindingMode"),
            R"("Immediate")");
  EXPECT_EQ(filled("storage.k8s.io", "CSIDriver", "spec: {attachRequired: false}", "spec"),
            R"({"attachRequired":false,"podInfoOnMount":false,"storageCapacity":false,)"
            R"("fsGroupPolicy":"ReadWriteOnceWithFSType","volumeLifecycleModes":["Persistent"],)"
            R"("requiresRepublish":false,"seLinuxMount":false})");
  EXPECT_EQ(filled("storage.k8s.io", "VolumeAttachment", "{}", "status"), R"({"attached":false})");
}

}  // namespace
}  // namespace berth::apiserver
