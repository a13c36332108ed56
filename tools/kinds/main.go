// kinds writes the table of the built-in kinds that the hub serves: what a running kube-apiserver says
// of them, and how the published Go types put them into protobuf. Names, types, numbers and rules only.
//
//	kinds KUBECONFIG FOLDER    writes FOLDER/{resources,types,protobuf,tables}.json
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: kinds KUBECONFIG FOLDER"))
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fail(err)
	}
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	server := server{client.RESTClient()}
	groups := readResources(server)
	write("resources.json", formatResources(groups))
	write("types.json", formatTypes(readTypes(server, groups)))
	write("protobuf.json", formatMessages(readMessages(groups)))
	write("tables.json", formatTables(readTables(server, groups)))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "kinds:", err)
	os.Exit(1)
}

func write(name string, text string) {
	if err := os.WriteFile(filepath.Join(os.Args[2], name), []byte(text), 0o644); err != nil {
		fail(err)
	}
}

type server struct{ client rest.Interface }

// Reads JSON from the path into what `into` points at.
func (s server) get(path string, accept string, into any) {
	request := s.client.Get().RequestURI(path)
	if accept != "" {
		request = request.SetHeader("Accept", accept)
	}
	text, err := request.DoRaw(context.Background())
	if err != nil {
		fail(fmt.Errorf("%s: %w", path, err))
	}
	if err := json.Unmarshal(text, into); err != nil {
		fail(fmt.Errorf("%s: %w", path, err))
	}
}

// On one line, with the characters of HTML as they are.
func line(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fail(err)
	}
	return string(bytes.TrimSpace(text.Bytes()))
}

// One entry on each line, so that a difference names what differs.
func object[V any](entries map[string]V, format func(V) string) string {
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	sort.Strings(names)
	text := "{\n"
	for i, name := range names {
		text += line(name) + ": " + format(entries[name])
		if i+1 < len(names) {
			text += ","
		}
		text += "\n"
	}
	return text + "}\n"
}
