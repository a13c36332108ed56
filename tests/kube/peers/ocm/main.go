// Command ocm answers what tests and benchmarks ask of Open Cluster Management's own code.
//
//	ocm crds                 its CRDs of the kinds that placement works with, as YAML
//	ocm schedule FILE SECS   its scheduling function on the objects in FILE, for SECS seconds per
//	                         placement; prints the processor time of one run and which clusters it chose
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	"open-cluster-management.io/api/client/cluster/clientset/versioned/fake"
	"open-cluster-management.io/api/client/cluster/informers/externalversions"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1alpha1 "open-cluster-management.io/api/cluster/v1alpha1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	"open-cluster-management.io/ocm/manifests"
	"open-cluster-management.io/ocm/pkg/placement/controllers/metrics"
	"open-cluster-management.io/ocm/pkg/placement/controllers/scheduling"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "crds":
		err = printCRDs()
	case len(os.Args) == 4 && os.Args[1] == "schedule":
		err = schedule(os.Args[2], os.Args[3])
	default:
		err = fmt.Errorf("usage: ocm crds | ocm schedule FILE SECONDS")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ocm:", err)
		os.Exit(1)
	}
}

func printCRDs() error {
	const folder = "cluster-manager/hub/crds"
	entries, err := fs.ReadDir(manifests.ClusterManagerManifestFiles, folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !strings.Contains(entry.Name(), "_clusters.open-cluster-management.io_") {
			continue
		}
		text, err := fs.ReadFile(manifests.ClusterManagerManifestFiles, folder+"/"+entry.Name())
		if err != nil {
			return err
		}
		fmt.Printf("---\n%s\n", text)
	}
	return nil
}

// fleet is what the benchmark writes: API objects as a server would list them.
type fleet struct {
	Clusters   []*clusterv1.ManagedCluster
	Scores     []*clusterv1alpha1.AddOnPlacementScore
	Decisions  []*clusterv1beta1.PlacementDecision
	Placements []*clusterv1beta1.Placement
}

func schedule(path, seconds string) error {
	limit, err := strconv.ParseFloat(seconds, 64)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var objects fleet
	if err := json.Unmarshal(text, &objects); err != nil {
		return err
	}
	silenceLogs()
	scheduler, err := newScheduler(&objects)
	if err != nil {
		return err
	}
	for _, placement := range objects.Placements {
		if err := measure(scheduler, placement, objects.Clusters, limit); err != nil {
			return err
		}
	}
	return nil
}

// Warnings would be formatted for every run otherwise, which is no part of the question.
func silenceLogs() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	klog.SetOutput(io.Discard)
}

func newScheduler(objects *fleet) (scheduling.Scheduler, error) {
	client := fake.NewSimpleClientset()
	informers := externalversions.NewSharedInformerFactory(client, 0).Cluster()
	add := func(indexer cache.Indexer, object any, err error) error {
		if err != nil {
			return err
		}
		return indexer.Add(object)
	}
	var err error
	for _, cluster := range objects.Clusters {
		err = add(informers.V1().ManagedClusters().Informer().GetIndexer(), cluster, err)
	}
	for _, score := range objects.Scores {
		err = add(informers.V1alpha1().AddOnPlacementScores().Informer().GetIndexer(), score, err)
	}
	for _, decision := range objects.Decisions {
		err = add(informers.V1beta1().PlacementDecisions().Informer().GetIndexer(), decision, err)
	}
	return scheduling.NewPluginScheduler(scheduling.NewSchedulerHandler(
		client, informers.V1beta1().PlacementDecisions().Lister(),
		informers.V1alpha1().AddOnPlacementScores().Lister(), informers.V1().ManagedClusters().Lister(),
		events.NewFakeRecorder(100), metrics.NewScheduleMetrics(clock.RealClock{}))), err
}

// processorSeconds is what this process has used so far, its garbage collector included.
func processorSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// measure prints one line of JSON. The scheduler reorders the slice that it is given, so each run gets
// its own, as in the controller.
func measure(scheduler scheduling.Scheduler, placement *clusterv1beta1.Placement,
	clusters []*clusterv1.ManagedCluster, limit float64) error {
	var chosen []string
	runs := 0
	start, usedBefore := time.Now(), processorSeconds()
	for runs < 2 || time.Since(start).Seconds() < limit {
		if runs == 1 {
			start, usedBefore = time.Now(), processorSeconds() // The first run only warms up.
		}
		result, status := scheduler.Schedule(context.Background(), placement,
			append([]*clusterv1.ManagedCluster(nil), clusters...))
		if status.IsError() {
			return status.AsError()
		}
		chosen = chosen[:0]
		for _, cluster := range result.Decisions() {
			chosen = append(chosen, cluster.Name)
		}
		runs++
	}
	used := processorSeconds() - usedBefore
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"placement": placement.Name,
		"runs":      runs - 1,
		"seconds":   used / float64(runs-1),
		"chosen":    chosen,
	})
}
