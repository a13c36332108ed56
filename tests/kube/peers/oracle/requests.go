package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
)

// Values that random bytes would not be: JSON, and schemas that end somewhere.
func requestFuncs(serializer.CodecFactory) []any {
	raw := func(c randfill.Continue) []byte {
		texts := []string{`{}`, `{"a":[1,2.5,"x",null]}`, `"text"`, `17`, `true`, `[{"deep":{"er":"<>"}}]`}
		return []byte(texts[c.Intn(len(texts))])
	}
	schema := func(c randfill.Continue) *apiextensionsv1.JSONSchemaProps {
		inner := &apiextensionsv1.JSONSchemaProps{Type: c.String(0), Nullable: c.Bool()}
		if c.Bool() {
			inner.Ref = ptr(c.String(0))
		}
		return inner
	}
	return []any{
		func(to *runtime.RawExtension, c randfill.Continue) { to.Raw = raw(c) },
		func(to *metav1.FieldsV1, c randfill.Continue) { to.Raw = raw(c) },
		func(to *apiextensionsv1.JSON, c randfill.Continue) { to.Raw = raw(c) },
		func(to *apiextensionsv1.JSONSchemaPropsOrArray, c randfill.Continue) {
			if c.Bool() {
				to.Schema = schema(c)
			} else {
				to.JSONSchemas = []apiextensionsv1.JSONSchemaProps{*schema(c), *schema(c)}
			}
		},
		func(to *apiextensionsv1.JSONSchemaPropsOrBool, c randfill.Continue) {
			to.Allows = c.Bool()
			if to.Allows && c.Bool() {
				to.Schema = schema(c)
			}
		},
		func(to *apiextensionsv1.JSONSchemaPropsOrStringArray, c randfill.Continue) {
			if c.Bool() {
				to.Schema = schema(c)
			} else {
				to.Property = []string{c.String(0), c.String(0)}
			}
		},
		func(to *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
			*to = *schema(c)
			if c.Intn(3) == 0 {
				return // So that they end.
			}
			fill := func(field any) {
				if c.Intn(3) == 0 {
					c.Fill(field)
				}
			}
			fields := reflect.ValueOf(to).Elem()
			for i := 0; i < fields.NumField(); i++ {
				fill(fields.Field(i).Addr().Interface())
			}
		},
	}
}

func ptr[T any](value T) *T { return &value }

// Random objects of the kinds ("apps/v1/Deployment"), each as the JSON and the protobuf that a client
// would send of it: one per line, the second in base64.
func printRequestPairs(count string, kinds []string) {
	number, err := strconv.Atoi(count)
	if err != nil {
		fail(err)
	}
	if err := apiextensionsv1.AddToScheme(scheme.Scheme); err != nil {
		fail(err)
	}
	codecs := serializer.NewCodecFactory(scheme.Scheme)
	funcs := fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, requestFuncs)
	filler := fuzzer.FuzzerFor(funcs, rand.NewSource(2), codecs)
	writer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	for i := 0; i < number; i++ {
		kind := requestKind(kinds[i%len(kinds)])
		object, err := scheme.Scheme.New(kind)
		if err != nil {
			fail(err)
		}
		filler.Fill(object)
		object.GetObjectKind().SetGroupVersionKind(kind)
		bytes, err := runtime.Encode(writer, object)
		if err != nil {
			fail(err)
		}
		// Once through the wire: there an empty list is none.
		back, _, err := writer.Decode(bytes, nil, nil)
		if err != nil {
			fail(err)
		}
		back.GetObjectKind().SetGroupVersionKind(kind)
		pair, err := json.Marshal(map[string]any{"object": back, "protobuf": bytes})
		if err != nil {
			fail(fmt.Errorf("%s: %w", kind, err))
		}
		fmt.Println(string(pair))
	}
}

func requestKind(text string) schema.GroupVersionKind {
	at := strings.LastIndex(text, "/")
	version := strings.Replace(text[:at], "*", "v1", 1)
	return schema.FromAPIVersionAndKind(version, text[at+1:])
}
