package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// Types with a JSON form of their own, which a reader has to know by name.
var specialTypes = map[string]string{
	"resource.Quantity":               "Quantity",
	"v1.Time":                         "Time",
	"v1.MicroTime":                    "MicroTime",
	"intstr.IntOrString":              "IntOrString",
	"v1.FieldsV1":                     "Json",
	"runtime.RawExtension":            "Json",
	"v1.JSON":                         "Json",
	"v1.ExtraValue":                   "Strings",
	"v1.JSONSchemaPropsOrArray":       "SchemaOrArray",
	"v1.JSONSchemaPropsOrBool":        "SchemaOrBool",
	"v1.JSONSchemaPropsOrStringArray": "SchemaOrStrings",
}

// The number, the name in JSON (empty: the members belong to the message around it), the type, and
// marks. "list" and "map" of names tell how many there are; "zero" says that JSON shows zero, false
// and "" too.
type field []any

// The messages of all served kinds, by name; "kinds" says which message an object of a kind is.
func readMessages(groups []groupVersion) map[string]any {
	if err := apiextensionsv1.AddToScheme(scheme.Scheme); err != nil {
		fail(err)
	}
	kinds := map[string]string{}
	messages := map[string][]field{}
	queue := []reflect.Type{}
	add := func(key string, message reflect.Type) {
		kinds[key] = messageName(message)
		queue = append(queue, message)
	}
	for _, group := range groups {
		for _, resource := range group.resources {
			kind := group.kindOf(resource)
			gvk := schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
			object, err := scheme.Scheme.New(gvk)
			if err != nil {
				fail(err)
			}
			add(gvk.GroupVersion().String()+"/"+kind.Kind, reflect.TypeOf(object).Elem())
		}
	}
	// In every group version.
	add("*/DeleteOptions", reflect.TypeOf(metav1.DeleteOptions{}))
	for len(queue) > 0 {
		message := queue[0]
		queue = queue[1:]
		if _, seen := messages[messageName(message)]; !seen {
			messages[messageName(message)] = fieldsOf(message, &queue)
		}
	}
	return map[string]any{"kinds": kinds, "messages": messages}
}

func messageName(message reflect.Type) string {
	return strings.ReplaceAll(message.PkgPath(), "/", ".") + "." + message.Name()
}

func fieldsOf(message reflect.Type, queue *[]reflect.Type) []field {
	fields := []field{}
	for i := range message.NumField() {
		tag := strings.Split(message.Field(i).Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue // TypeMeta travels outside.
		}
		number, err := strconv.Atoi(tag[1])
		if err != nil {
			fail(err)
		}
		fields = append(fields, describe(number, message.Field(i), queue))
	}
	return fields
}

func describe(number int, member reflect.StructField, queue *[]reflect.Type) field {
	options := strings.Split(member.Tag.Get("json"), ",")
	name, kind := options[0], member.Type
	marks := []any{}
	if !slices.Contains(options, "omitempty") {
		marks = append(marks, "zero")
	}
	if kind.Kind() == reflect.Pointer {
		kind, marks = kind.Elem(), []any{"zero"}
	}
	if _, special := specialTypes[kind.String()]; !special {
		switch kind.Kind() {
		case reflect.Slice:
			if kind.Elem().Kind() != reflect.Uint8 {
				kind, marks = kind.Elem(), []any{"list"}
			}
		case reflect.Map:
			if kind.Key().Kind() != reflect.String {
				fail(fmt.Errorf("%s is a map of something else than names", member.Name))
			}
			kind, marks = kind.Elem(), []any{"map"}
		}
	}
	return append(field{number, name, typeName(member.Name, kind, queue)}, marks...)
}

func typeName(member string, kind reflect.Type, queue *[]reflect.Type) string {
	if special, found := specialTypes[kind.String()]; found {
		return special
	}
	switch kind.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64:
		return "int"
	case reflect.Float64:
		return "double"
	case reflect.Slice:
		return "bytes"
	case reflect.Struct:
		*queue = append(*queue, kind)
		return messageName(kind)
	}
	fail(fmt.Errorf("%s is a %s, which nobody expected", member, kind))
	return ""
}

func formatMessages(table map[string]any) string {
	kinds := object(table["kinds"].(map[string]string), func(name string) string { return line(name) })
	messages := object(table["messages"].(map[string][]field), func(fields []field) string { return line(fields) })
	return "{\"kinds\": " + strings.TrimSpace(kinds) + ",\n\"messages\": " + strings.TrimSpace(messages) + "}\n"
}
