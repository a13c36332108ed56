// Clients that everybody uses, put to work on the server under test: one line for each thing that works
// or does not; the exit status says whether all of it did.
//
//	clients client-go KUBECONFIG            typed clients in protobuf, informers, leader election, ...
//	clients controller-runtime KUBECONFIG   a manager with a reconciler on a custom resource
//
// $GARBAGE_COLLECTOR=no: nobody on that server removes what belonged to objects that are gone.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

const patience = 60 * time.Second

// A check has a name that says what works if it passes.
type check struct {
	name string
	run  func(ctx context.Context) error
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: clients client-go|controller-runtime KUBECONFIG")
		os.Exit(2)
	}
	klog.SetOutput(os.Stderr)
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(2)
	}
	config.QPS, config.Burst = 1000, 1000
	checks := map[string]func(*rest.Config) []check{
		"client-go":          clientGoChecks,
		"controller-runtime": managerChecks,
	}[os.Args[1]]
	if checks == nil {
		fmt.Fprintf(os.Stderr, "clients: unknown program %q\n", os.Args[1])
		os.Exit(2)
	}
	os.Exit(runAll(checks(config)))
}

// Later checks build on earlier ones: the first failure ends it.
func runAll(checks []check) int {
	for _, one := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := one.run(ctx)
		cancel()
		if err != nil {
			fmt.Printf("FAILED %s: %v\n", one.name, err)
			return 1
		}
		fmt.Printf("ok %s\n", one.name)
	}
	return 0
}

// eventually asks again and again; the last complaint comes back if it never says yes.
func eventually(ctx context.Context, ask func(ctx context.Context) error) error {
	var last error
	err := wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		if complaint := ask(ctx); complaint != nil {
			last = complaint
			return false, nil
		}
		return true, nil
	})
	if err != nil && last != nil {
		return last
	}
	return err
}

func expect[T comparable](what string, got, wanted T) error {
	if got != wanted {
		return fmt.Errorf("%s is %v, not %v", what, got, wanted)
	}
	return nil
}
