// Command usage does what the reference's agent for resource usage does, with client-go as everybody
// uses it: informers on all nodes and pods, and every 60 seconds the sums over all of them, written
// into an AddOnPlacementScore. Benchmarks run it beside Berth's agent.
//
//	usage KUBECONFIG NAMESPACE NAME MAXCPU
//
// It prints one line when the scores have been written for the first time.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	resync = 10 * time.Minute
	period = 60 * time.Second
	maxMem = float64(1 << 40)
)

var scores = schema.GroupVersionResource{
	Group: "cluster.open-cluster-management.io", Version: "v1alpha1", Resource: "addonplacementscores",
}

type agent struct {
	nodes           listers.NodeLister
	pods            listers.PodLister
	hub             dynamic.ResourceInterface
	namespace, name string
	maxCPU          float64
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "usage:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 5 {
		return fmt.Errorf("usage KUBECONFIG NAMESPACE NAME MAXCPU")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		return err
	}
	maxCPU, err := strconv.ParseFloat(os.Args[4], 64)
	if err != nil {
		return err
	}
	typed := rest.CopyConfig(config)
	typed.ContentType = "application/vnd.kubernetes.protobuf"
	cluster, err := kubernetes.NewForConfig(typed)
	if err != nil {
		return err
	}
	hub, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(cluster, resync)
	a := &agent{
		nodes: factory.Core().V1().Nodes().Lister(), pods: factory.Core().V1().Pods().Lister(),
		hub: hub.Resource(scores).Namespace(os.Args[2]), namespace: os.Args[2], name: os.Args[3],
		maxCPU: maxCPU,
	}
	ctx := context.Background()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for first := true; ; first = false {
		if err := a.publish(ctx); err != nil {
			return err
		}
		if first {
			fmt.Println("published")
		}
		time.Sleep(period)
	}
}

// publish sums over every pod for each node, resource by resource, and writes both scores.
func (a *agent) publish(ctx context.Context) error {
	cpu, err := a.free(corev1.ResourceCPU)
	if err != nil {
		return err
	}
	memory, err := a.free(corev1.ResourceMemory)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(scores.GroupVersion().String())
	object.SetKind("AddOnPlacementScore")
	object.SetNamespace(a.namespace)
	object.SetName(a.name)
	_, err = a.hub.Create(ctx, object, metav1.CreateOptions{})
	if err != nil && !errors.IsAlreadyExists(err) {
		return err
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"scores": []map[string]any{
		{"name": "cpuAvailable", "value": score(cpu, a.maxCPU)},
		{"name": "memAvailable", "value": score(memory, maxMem)},
	}}})
	if err != nil {
		return err
	}
	_, err = a.hub.Patch(ctx, a.name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

func (a *agent) free(name corev1.ResourceName) (float64, error) {
	nodes, err := a.nodes.List(labels.Everything())
	if err != nil {
		return 0, err
	}
	pods, err := a.pods.List(labels.Everything())
	if err != nil {
		return 0, err
	}
	used := map[string]float64{}
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		for i := range pod.Spec.Containers {
			request := pod.Spec.Containers[i].Resources.Requests[name]
			used[pod.Spec.NodeName] += request.AsApproximateFloat64()
		}
	}
	var free float64
	for _, node := range nodes {
		if node.Spec.Unschedulable {
			continue
		}
		allocatable := node.Status.Allocatable[name]
		free += allocatable.AsApproximateFloat64() - used[node.Name]
	}
	return free, nil
}

func score(value, max float64) int {
	return min(100, int(value/max*100))
}
