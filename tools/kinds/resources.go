package main

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What the hub serves. A new kind is one word here and a run of this program.
var served = map[string]string{
	"v1": `bindings configmaps endpoints events limitranges namespaces namespaces/finalize
		namespaces/status nodes nodes/status persistentvolumeclaims persistentvolumeclaims/status
		persistentvolumes persistentvolumes/status pods pods/binding pods/eviction pods/status podtemplates
		resourcequotas resourcequotas/status secrets serviceaccounts serviceaccounts/token services
		services/status`,
	"admissionregistration.k8s.io/v1": `validatingadmissionpolicies validatingadmissionpolicies/status
		validatingadmissionpolicybindings`,
	"apiextensions.k8s.io/v1": "customresourcedefinitions customresourcedefinitions/status",
	"apps/v1": `controllerrevisions daemonsets daemonsets/status deployments deployments/scale
		deployments/status replicasets replicasets/scale replicasets/status statefulsets
		statefulsets/scale statefulsets/status`,
	"authentication.k8s.io/v1": "selfsubjectreviews tokenreviews",
	"authorization.k8s.io/v1": `localsubjectaccessreviews selfsubjectaccessreviews
		selfsubjectrulesreviews subjectaccessreviews`,
	"batch/v1": "cronjobs cronjobs/status jobs jobs/status",
	"certificates.k8s.io/v1": `certificatesigningrequests certificatesigningrequests/approval
		certificatesigningrequests/status`,
	"coordination.k8s.io/v1":       "leases",
	"discovery.k8s.io/v1":          "endpointslices",
	"events.k8s.io/v1":             "events",
	"policy/v1":                    "poddisruptionbudgets poddisruptionbudgets/status",
	"rbac.authorization.k8s.io/v1": "clusterrolebindings clusterroles rolebindings roles",
	"scheduling.k8s.io/v1":         "priorityclasses",
	"storage.k8s.io/v1":            "storageclasses",
}

// A group version and those of its resources that are served.
type groupVersion struct {
	name      string // As in apiVersion.
	resources []metav1.APIResource
}

func (g groupVersion) path() string {
	if g.name == "v1" {
		return "/api/v1"
	}
	return "/apis/" + g.name
}

// The kind of one resource or subresource.
func (g groupVersion) kindOf(resource metav1.APIResource) metav1.GroupVersionKind {
	group, version, found := strings.Cut(g.name, "/")
	if !found {
		group, version = "", g.name
	}
	if resource.Version != "" {
		group, version = resource.Group, resource.Version
	}
	return metav1.GroupVersionKind{Group: group, Version: version, Kind: resource.Kind}
}

// In the server's order of preference.
func readResources(s server) []groupVersion {
	names := []string{"v1"}
	var list metav1.APIGroupList
	s.get("/apis", "application/json", &list)
	for _, group := range list.Groups {
		for _, version := range group.Versions {
			names = append(names, version.GroupVersion)
		}
	}
	var groups []groupVersion
	for _, name := range names {
		wanted := strings.Fields(served[name])
		if len(wanted) == 0 {
			continue
		}
		group := groupVersion{name: name}
		var list metav1.APIResourceList
		s.get(group.path(), "application/json", &list)
		for _, resource := range list.APIResources {
			if slices.Contains(wanted, resource.Name) {
				group.resources = append(group.resources, resource)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

type subresourceRow struct {
	Name    string   `json:"name"`
	Group   string   `json:"group,omitempty"`
	Version string   `json:"version,omitempty"`
	Kind    string   `json:"kind"`
	Verbs   []string `json:"verbs"`
}

type resourceRow struct {
	Name         string           `json:"name"`
	Singular     string           `json:"singular"`
	Namespaced   bool             `json:"namespaced"`
	Kind         string           `json:"kind"`
	Verbs        []string         `json:"verbs"`
	ShortNames   []string         `json:"shortNames,omitempty"`
	Categories   []string         `json:"categories,omitempty"`
	Subresources []subresourceRow `json:"subresources,omitempty"`
}

func formatResources(groups []groupVersion) string {
	text := "[\n"
	for i, group := range groups {
		text += `{"groupVersion": ` + line(group.name) + `, "resources": [` + "\n"
		rows := rowsOf(group)
		for j, row := range rows {
			text += line(row)
			if j+1 < len(rows) {
				text += ","
			}
			text += "\n"
		}
		text += "]}"
		if i+1 < len(groups) {
			text += ","
		}
		text += "\n"
	}
	return text + "]\n"
}

func rowsOf(group groupVersion) []resourceRow {
	var rows []resourceRow
	for _, resource := range group.resources {
		parent, name, isSubresource := strings.Cut(resource.Name, "/")
		if !isSubresource {
			rows = append(rows, resourceRow{
				Name: parent, Singular: resource.SingularName, Namespaced: resource.Namespaced,
				Kind: resource.Kind, Verbs: resource.Verbs, ShortNames: resource.ShortNames,
				Categories: resource.Categories})
			continue
		}
		at := slices.IndexFunc(rows, func(row resourceRow) bool { return row.Name == parent })
		rows[at].Subresources = append(rows[at].Subresources, subresourceRow{
			Name: name, Group: resource.Group, Version: resource.Version, Kind: resource.Kind,
			Verbs: resource.Verbs})
	}
	return rows
}
