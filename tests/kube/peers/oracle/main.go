// The oracle answers questions with client-go, so that tests and benchmarks can compare Berth's own
// client with the one everybody trusts.
//
//	oracle merge-kubeconfig        what client-go makes of $KUBECONFIG, as JSON
//	oracle informer KUBECONFIG     sync an informer over all pods; print seconds, memory and count
//	oracle protobuf-schema         the messages of the kinds that Berth reads as protobuf
//	oracle protobuf-pairs COUNT    random objects of these kinds, in JSON and in protobuf
//	oracle request-pairs COUNT KIND...    the same for any kinds: "apps/v1/Deployment"
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: oracle merge-kubeconfig | informer KUBECONFIG | protobuf-schema | protobuf-pairs COUNT | request-pairs COUNT KIND..."))
	}
	switch os.Args[1] {
	case "merge-kubeconfig":
		mergeKubeconfig()
	case "informer":
		syncInformer(os.Args[2])
	case "protobuf-schema":
		printProtobufSchema()
	case "protobuf-pairs":
		printProtobufPairs(os.Args[2])
	case "request-pairs":
		printRequestPairs(os.Args[2], os.Args[3:])
	default:
		fail(fmt.Errorf("unknown question %q", os.Args[1]))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle:", err)
	os.Exit(1)
}

// What a client would use: the parts of the resolved configuration that Berth resolves too.
func mergeKubeconfig() {
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), &clientcmd.ConfigOverrides{})
	config, err := loader.ClientConfig()
	if err != nil {
		fail(err)
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		fail(err)
	}
	print(map[string]any{
		"server":      config.Host,
		"namespace":   namespace,
		"token":       config.BearerToken,
		"tokenFile":   config.BearerTokenFile,
		"username":    config.Username,
		"serverName":  config.TLSClientConfig.ServerName,
		"insecure":    config.TLSClientConfig.Insecure,
		"caFile":      config.TLSClientConfig.CAFile,
		"caData":      string(config.TLSClientConfig.CAData),
		"certFile":    config.TLSClientConfig.CertFile,
		"certData":    string(config.TLSClientConfig.CertData),
		"keyFile":     config.TLSClientConfig.KeyFile,
		"impersonate": config.Impersonate.UserName,
		"compression": !config.DisableCompression,
		"execCommand": execCommand(config.ExecProvider != nil, func() string { return config.ExecProvider.Command }),
		"hasProxy":    config.Proxy != nil,
	})
}

func execCommand(has bool, command func() string) string {
	if !has {
		return ""
	}
	return command()
}

func syncInformer(kubeconfig string) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		fail(err)
	}
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	start := time.Now()
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	ctx := context.Background()
	factory.Start(ctx.Done())
	// WaitForCacheSync looks every 100 ms only; that is not what is to be measured.
	for !pods.HasSynced() {
		time.Sleep(20 * time.Millisecond)
	}
	seconds := time.Since(start).Seconds()
	peak := residentMegabytes("VmHWM")
	cpu := cpuSeconds()
	runtime.GC()
	debug.FreeOSMemory()
	print(map[string]any{
		"seconds":  seconds,
		"cpu":      cpu,
		"objects":  len(pods.GetStore().ListKeys()),
		"peakMB":   peak,
		"steadyMB": residentMegabytes("VmRSS"),
	})
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

// A line of /proc/self/status, in MB.
func residentMegabytes(name string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fail(err)
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			var kilobytes float64
			fmt.Sscan(rest, &kilobytes)
			return kilobytes / 1024
		}
	}
	return 0
}

func print(answer map[string]any) {
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		fail(err)
	}
	fmt.Println(string(text))
}
