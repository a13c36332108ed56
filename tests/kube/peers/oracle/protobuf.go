package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

var protobufRoots = []runtime.Object{&corev1.Pod{}, &corev1.Node{}, &metav1.Status{}}

// Types with a JSON form of their own, which a reader has to know by name.
var protobufLeaves = map[string]string{
	"resource.Quantity":  "Quantity",
	"v1.Time":            "Time",
	"intstr.IntOrString": "IntOrString",
	"v1.FieldsV1":        "JSON",
}

// The messages that the roots are made of, as src/client/protobuf_messages.cc has them: one per
// line, with a field's number, its name in JSON ("." for one whose members belong to the parent) and
// its type. "!": also in JSON when it is empty or zero.
func printProtobufSchema() {
	seen := map[string]bool{}
	var queue []reflect.Type
	for _, root := range protobufRoots {
		queue = append(queue, reflect.TypeOf(root).Elem())
	}
	for len(queue) > 0 {
		message := queue[0]
		queue = queue[1:]
		if seen[message.Name()] {
			continue
		}
		seen[message.Name()] = true
		var fields []string
		for i := 0; i < message.NumField(); i++ {
			field := message.Field(i)
			tag := strings.Split(field.Tag.Get("protobuf"), ",")
			if len(tag) < 2 {
				continue // TypeMeta travels outside.
			}
			fields = append(fields, tag[1]+" "+describeField(field, &queue))
		}
		fmt.Println(wrap(message.Name() + ": " + strings.Join(fields, ", ")))
	}
}

func describeField(field reflect.StructField, queue *[]reflect.Type) string {
	options := strings.Split(field.Tag.Get("json"), ",")
	name, kind, shape, mark := options[0], field.Type, "", "!"
	for _, option := range options[1:] {
		if option == "omitempty" {
			mark = ""
		}
	}
	if name == "" {
		name = "."
	}
	switch kind.Kind() {
	case reflect.Pointer:
		kind, mark = kind.Elem(), "!"
	case reflect.Slice:
		if kind.Elem().Kind() != reflect.Uint8 {
			kind, shape, mark = kind.Elem(), "[]", ""
		}
	case reflect.Map:
		kind, shape, mark = kind.Elem(), "{}", ""
	}
	if leaf, found := protobufLeaves[kind.String()]; found {
		return name + " " + leaf + shape
	}
	switch kind.Kind() {
	case reflect.String:
		return name + " string" + shape + mark
	case reflect.Bool:
		return name + " bool" + shape + mark
	case reflect.Int32, reflect.Int64:
		return name + " int" + shape + mark
	case reflect.Struct:
		*queue = append(*queue, kind)
		return name + " " + kind.Name() + shape
	}
	fail(fmt.Errorf("%s is a %s, which nobody expected", field.Name, kind))
	return ""
}

func wrap(line string) string {
	var lines []string
	for len(line) > 98 {
		cut := strings.LastIndex(line[:98], ", ")
		lines = append(lines, line[:cut+1])
		line = "  " + line[cut+2:]
	}
	return strings.Join(append(lines, line), "\n")
}

// Random objects, each as the JSON and the protobuf that a server would send of it: one per line, the
// second in base64.
func printProtobufPairs(count string) {
	number, err := strconv.Atoi(count)
	if err != nil {
		fail(err)
	}
	codecs := serializer.NewCodecFactory(scheme.Scheme)
	filler := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(1), codecs)
	writer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	for i := 0; i < number; i++ {
		object := reflect.New(reflect.TypeOf(protobufRoots[i%len(protobufRoots)]).Elem()).Interface().(runtime.Object)
		filler.Fill(object)
		kinds, _, err := scheme.Scheme.ObjectKinds(object)
		if err != nil {
			fail(err)
		}
		object.GetObjectKind().SetGroupVersionKind(kinds[0])
		bytes, err := runtime.Encode(writer, object)
		if err != nil {
			fail(err)
		}
		// Once through the wire, as everything that a server sends has been.
		back, _, err := writer.Decode(bytes, nil, nil)
		if err != nil {
			fail(err)
		}
		back.GetObjectKind().SetGroupVersionKind(kinds[0])
		pair, err := json.Marshal(map[string]any{"object": back, "protobuf": bytes})
		if err != nil {
			fail(err)
		}
		fmt.Println(string(pair))
	}
}
