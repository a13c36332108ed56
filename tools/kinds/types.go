package main

import (
	"slices"
	"strings"
)

const componentPrefix = "#/components/schemas/"

// Types of request and response bodies that no kind refers to.
var alwaysNamed = []string{
	"io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
	"io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta",
	"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Status",
}

type document struct {
	Components struct {
		Schemas map[string]map[string]any `json:"schemas"`
	} `json:"components"`
}

// All types that the served kinds, their lists and their subresources are made of, by name.
func readTypes(s server, groups []groupVersion) map[string]any {
	all := map[string]map[string]any{}
	wanted := slices.Clone(alwaysNamed)
	for _, group := range groups {
		var read document
		s.get("/openapi/v3"+group.path(), "application/json", &read)
		for name, schema := range read.Components.Schemas {
			all[name] = schema
		}
	}
	for _, group := range groups {
		for _, resource := range group.resources {
			kind := group.kindOf(resource)
			wanted = append(wanted, typesOf(all, kind.Group, kind.Version, kind.Kind)...)
			wanted = append(wanted, typesOf(all, kind.Group, kind.Version, kind.Kind+"List")...)
		}
	}
	types := map[string]any{}
	for len(wanted) > 0 {
		name := wanted[len(wanted)-1]
		wanted = wanted[:len(wanted)-1]
		if _, found := types[name]; !found {
			types[name] = cleaned(all[name], &wanted)
		}
	}
	return types
}

func typesOf(all map[string]map[string]any, group, version, kind string) []string {
	var names []string
	for name, schema := range all {
		list, _ := schema["x-kubernetes-group-version-kind"].([]any)
		// What is registered in every group, such as DeleteOptions, is in alwaysNamed.
		if len(list) != 1 {
			continue
		}
		gvk := list[0].(map[string]any)
		if gvk["group"] == group && gvk["version"] == version && gvk["kind"] == kind {
			names = append(names, name)
		}
	}
	return names
}

// Without descriptions, and with references as bare names beside what else is said of the place.
// Notes the references in `wanted`.
func cleaned(schema any, wanted *[]string) any {
	switch schema := schema.(type) {
	case []any:
		result := []any{}
		for _, element := range schema {
			result = append(result, cleaned(element, wanted))
		}
		return result
	case map[string]any:
		return cleanedNode(schema, wanted)
	}
	return schema
}

func cleanedNode(schema map[string]any, wanted *[]string) map[string]any {
	result := map[string]any{}
	for name, value := range schema {
		switch name {
		case "description":
		case "properties":
			// Here the names are those of fields, and one is called description.
			fields := map[string]any{}
			for field, inner := range value.(map[string]any) {
				fields[field] = cleaned(inner, wanted)
			}
			result[name] = fields
		case "$ref":
			target := strings.TrimPrefix(value.(string), componentPrefix)
			*wanted = append(*wanted, target)
			result[name] = target
		case "default", "enum", "required":
			result[name] = value
		case "allOf":
			for key, inner := range cleaned(value.([]any)[0], wanted).(map[string]any) {
				result[key] = inner
			}
		case "x-kubernetes-group-version-kind":
			// DeleteOptions and its like are of every group that there is: not a fact of the type.
			if len(value.([]any)) == 1 {
				result[name] = value
			}
		default:
			result[name] = cleaned(value, wanted)
		}
	}
	return result
}

func formatTypes(types map[string]any) string {
	return object(types, func(schema any) string { return line(schema) })
}
