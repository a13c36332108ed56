{{/* The image that everything runs: as the values say, else as deploy/image says. */}}
{{- define "berth.image" -}}
{{- $shipped := index (fromYaml (.Files.Get "files/image/kustomization.yaml")).images 0 -}}
{{- printf "%s:%s" (.Values.image.repository | default $shipped.newName) (.Values.image.tag | default $shipped.newTag) -}}
{{- end -}}

{{/* What the values say about one program, put into the spec of its pods. */}}
{{- define "berth.podSpec" -}}
{{- $pod := .pod -}}
{{- $values := .values -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" -}}
{{- with get $values $key }}{{ $_ := set $pod $key . }}{{ end -}}
{{- end -}}
{{- range $container := $pod.containers -}}
{{- $_ := set $container "imagePullPolicy" $.pullPolicy -}}
{{- with $values.resources }}{{ $_ := set $container "resources" . }}{{ end -}}
{{- with $values.extraArgs }}{{ $_ := set $container "args" (concat $container.args .) }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Whether it is a namespace that this release must not own: the one that Helm has made to install into, or one that was
     there before. */}}
{{- define "berth.isOthers" -}}
{{- if eq .object.kind "Namespace" -}}
{{- $name := .object.metadata.name -}}
{{- $release := .root.Release -}}
{{- $there := lookup "v1" "Namespace" "" $name -}}
{{- $owner := dig "metadata" "annotations" "meta.helm.sh/release-name" "" $there -}}
{{- if or (eq $name $release.Namespace) (and $there (ne $owner $release.Name)) -}}yes{{- end -}}
{{- end -}}
{{- end -}}

{{/* One part of deploy/: the manifests that its kustomization.yaml lists. */}}
{{- define "berth.part" -}}
{{- $root := .root -}}
{{- $part := .part -}}
{{- $values := get $root.Values $part -}}
{{- $image := include "berth.image" $root -}}
{{- $list := fromYaml ($root.Files.Get (printf "files/%s/kustomization.yaml" $part)) -}}
{{- range $name := $list.resources -}}
{{- $text := $root.Files.Get (printf "files/%s/%s" $part $name) | replace "berth.dev/berth" $image -}}
{{- range $document := regexSplit "(?m)^---$" $text -1 -}}
{{- $object := fromYaml $document -}}
{{- if $object -}}
{{- if has $object.kind (list "Deployment" "StatefulSet") -}}
{{- include "berth.podSpec" (dict "pod" $object.spec.template.spec "values" $values "pullPolicy" $root.Values.image.pullPolicy) -}}
{{- if not (kindIs "invalid" $values.replicas) }}{{ $_ := set $object.spec "replicas" $values.replicas }}{{ end -}}
{{- end -}}
{{- if not (include "berth.isOthers" (dict "root" $root "object" $object)) }}
---
{{ toYaml $object }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
