package main

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The columns of each resource's table: name, type, format, priority.
func readTables(s server, groups []groupVersion) map[string][][]any {
	tables := map[string][][]any{}
	for _, group := range groups {
		for _, resource := range group.resources {
			if strings.Contains(resource.Name, "/") || !slices.Contains(resource.Verbs, "list") {
				continue
			}
			path := group.path() + "/" + resource.Name
			var table metav1.Table
			s.get(path+"?limit=1", "application/json;as=Table;v=v1;g=meta.k8s.io", &table)
			columns := [][]any{}
			for _, column := range table.ColumnDefinitions {
				columns = append(columns, []any{column.Name, column.Type, column.Format, column.Priority})
			}
			tables[group.name+"/"+resource.Name] = columns
		}
	}
	return tables
}

func formatTables(tables map[string][][]any) string {
	return object(tables, func(columns [][]any) string { return line(columns) })
}
