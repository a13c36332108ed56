package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
)

const space = "clients"

// What all typed clients have in common.
type typedClient[Object metav1.Object, List runtime.Object] interface {
	Create(ctx context.Context, object Object, options metav1.CreateOptions) (Object, error)
	Update(ctx context.Context, object Object, options metav1.UpdateOptions) (Object, error)
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
	Get(ctx context.Context, name string, options metav1.GetOptions) (Object, error)
	List(ctx context.Context, options metav1.ListOptions) (List, error)
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions,
		subresources ...string) (Object, error)
}

// The life of one object, from creation to its end.
func life[Object metav1.Object, List runtime.Object](
	kind string, client typedClient[Object, List], object Object) check {
	return check{"typed client of " + kind, func(ctx context.Context) error {
		object.SetLabels(map[string]string{"test": "life"})
		created, err := client.Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("create: %w", err)
		}
		if _, err := client.Create(ctx, object, metav1.CreateOptions{}); !errors.IsAlreadyExists(err) {
			return fmt.Errorf("a second create answers %v", err)
		}
		if err := update(ctx, client, created); err != nil {
			return err
		}
		if err := patch(ctx, client, created.GetName()); err != nil {
			return err
		}
		list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "test=life"})
		if err != nil {
			return fmt.Errorf("list: %w", err)
		}
		if err := expect("the length of the list", meta.LenList(list), 1); err != nil {
			return err
		}
		return remove(ctx, client, created)
	}}
}

func update[Object metav1.Object, List runtime.Object](
	ctx context.Context, client typedClient[Object, List], created Object) error {
	read, err := client.Get(ctx, created.GetName(), metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	if err := expect("the uid", read.GetUID(), created.GetUID()); err != nil {
		return err
	}
	read.SetAnnotations(map[string]string{"note": "updated"})
	updated, err := client.Update(ctx, read, metav1.UpdateOptions{})
	if err != nil {
		return fmt.Errorf("update: %w", err)
	}
	if updated.GetResourceVersion() == created.GetResourceVersion() {
		return fmt.Errorf("an update did not change the resource version")
	}
	created.SetAnnotations(map[string]string{"note": "too late"})
	if _, err := client.Update(ctx, created, metav1.UpdateOptions{}); !errors.IsConflict(err) {
		return fmt.Errorf("an update of an old version answers %v", err)
	}
	return nil
}

func patch[Object metav1.Object, List runtime.Object](
	ctx context.Context, client typedClient[Object, List], name string) error {
	patches := map[types.PatchType]string{
		types.MergePatchType:          `{"metadata":{"annotations":{"note":"patched"}}}`,
		types.StrategicMergePatchType: `{"metadata":{"annotations":{"note":"patched"}}}`,
		types.JSONPatchType:           `[{"op":"replace","path":"/metadata/annotations/note","value":"patched"}]`,
	}
	for kind, text := range patches {
		patched, err := client.Patch(ctx, name, kind, []byte(text), metav1.PatchOptions{FieldManager: "clients"})
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		if err := expect(string(kind), patched.GetAnnotations()["note"], "patched"); err != nil {
			return err
		}
	}
	return nil
}

func remove[Object metav1.Object, List runtime.Object](
	ctx context.Context, client typedClient[Object, List], created Object) error {
	name, uid, other, now := created.GetName(), created.GetUID(), types.UID("other"), int64(0)
	err := client.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}})
	if !errors.IsConflict(err) {
		return fmt.Errorf("a delete of another uid answers %v", err)
	}
	err = client.Delete(ctx, name, metav1.DeleteOptions{
		GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &uid}})
	if err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	if _, err := client.Get(ctx, name, metav1.GetOptions{}); !errors.IsNotFound(err) {
		return fmt.Errorf("a get after the delete answers %v", err)
	}
	return nil
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

func podSpec() corev1.PodSpec {
	no := false
	return corev1.PodSpec{
		ServiceAccountName:           "clerk",
		AutomountServiceAccountToken: &no,
		Containers:                   []corev1.Container{{Name: "main", Image: "example.com/image:1"}},
	}
}

func podTemplate() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}}, Spec: podSpec()}
}

// What every namespaced thing below needs first.
func prepare(clients kubernetes.Interface) check {
	return check{"namespace and service account", func(ctx context.Context) error {
		namespace := &corev1.Namespace{ObjectMeta: named(space)}
		if _, err := clients.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
		account := &corev1.ServiceAccount{ObjectMeta: named("clerk")}
		_, err := clients.CoreV1().ServiceAccounts(space).Create(ctx, account, metav1.CreateOptions{})
		return err
	}}
}

func typedChecks(clients kubernetes.Interface) []check {
	core, apps, rbac := clients.CoreV1(), clients.AppsV1(), clients.RbacV1()
	web := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	one := intstr.FromInt32(1)
	holder := "me"
	pod := podSpec()
	pod.RestartPolicy = corev1.RestartPolicyNever
	template := podTemplate()
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	rules := []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get"}}}
	return []check{
		prepare(clients),
		life("ConfigMap", core.ConfigMaps(space), &corev1.ConfigMap{ObjectMeta: named("box"), BinaryData: map[string][]byte{"a": {0, 255}}}),
		life("Secret", core.Secrets(space), &corev1.Secret{ObjectMeta: named("door"), StringData: map[string]string{"key": "brass"}}),
		life("ServiceAccount", core.ServiceAccounts(space), &corev1.ServiceAccount{ObjectMeta: named("guest")}),
		life("Pod", core.Pods(space), &corev1.Pod{ObjectMeta: named("web"), Spec: pod}),
		life("Service", core.Services(space), &corev1.Service{ObjectMeta: named("web"), Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80, TargetPort: one}}}}),
		life("Event", core.Events(space), &corev1.Event{ObjectMeta: named("box.1"), InvolvedObject: corev1.ObjectReference{Kind: "ConfigMap", Namespace: space, Name: "box"}, Reason: "Made"}),
		life("ResourceQuota", core.ResourceQuotas(space), &corev1.ResourceQuota{ObjectMeta: named("small")}),
		life("LimitRange", core.LimitRanges(space), &corev1.LimitRange{ObjectMeta: named("small")}),
		life("Node", core.Nodes(), &corev1.Node{ObjectMeta: named("node-a")}),
		life("Deployment", apps.Deployments(space), &appsv1.Deployment{ObjectMeta: named("web"), Spec: appsv1.DeploymentSpec{Selector: web, Template: podTemplate()}}),
		life("StatefulSet", apps.StatefulSets(space), &appsv1.StatefulSet{ObjectMeta: named("web"), Spec: appsv1.StatefulSetSpec{Selector: web, Template: podTemplate()}}),
		life("DaemonSet", apps.DaemonSets(space), &appsv1.DaemonSet{ObjectMeta: named("web"), Spec: appsv1.DaemonSetSpec{Selector: web, Template: podTemplate()}}),
		life("ReplicaSet", apps.ReplicaSets(space), &appsv1.ReplicaSet{ObjectMeta: named("web"), Spec: appsv1.ReplicaSetSpec{Selector: web, Template: podTemplate()}}),
		life("CronJob", clients.BatchV1().CronJobs(space), &batchv1.CronJob{ObjectMeta: named("nightly"), Spec: batchv1.CronJobSpec{Schedule: "0 3 * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}}}}),
		life("Lease", clients.CoordinationV1().Leases(space), &coordinationv1.Lease{ObjectMeta: named("lead"), Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder}}),
		life("PodDisruptionBudget", clients.PolicyV1().PodDisruptionBudgets(space), &policyv1.PodDisruptionBudget{ObjectMeta: named("web"), Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &one, Selector: web}}),
		life("EndpointSlice", clients.DiscoveryV1().EndpointSlices(space), &discoveryv1.EndpointSlice{ObjectMeta: named("web"), AddressType: discoveryv1.AddressTypeIPv4}),
		life("PriorityClass", clients.SchedulingV1().PriorityClasses(), &schedulingv1.PriorityClass{ObjectMeta: named("urgent"), Value: 5}),
		life("StorageClass", clients.StorageV1().StorageClasses(), &storagev1.StorageClass{ObjectMeta: named("fast"), Provisioner: "example.com/fast"}),
		life("Role", rbac.Roles(space), &rbacv1.Role{ObjectMeta: named("reader"), Rules: rules}),
		life("ClusterRole", rbac.ClusterRoles(), &rbacv1.ClusterRole{ObjectMeta: named("clients-reader"), Rules: rules}),
		life("RoleBinding", rbac.RoleBindings(space), &rbacv1.RoleBinding{ObjectMeta: named("readers"), RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"}}),
		life("CertificateSigningRequest", clients.CertificatesV1().CertificateSigningRequests(), signingRequest("life")),
		statusCheck(clients), scaleCheck(clients), approvalCheck(clients), pagesCheck(clients),
	}
}

func signingRequest(name string) *certificatesv1.CertificateSigningRequest {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	about := &x509.CertificateRequest{Subject: pkix.Name{CommonName: "jane", Organization: []string{"readers"}}}
	bytes, err := x509.CreateCertificateRequest(rand.Reader, about, key)
	if err != nil {
		panic(err)
	}
	return &certificatesv1.CertificateSigningRequest{ObjectMeta: named(name), Spec: certificatesv1.CertificateSigningRequestSpec{
		Request:    pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: bytes}),
		SignerName: "example.com/nobody",
		Usages:     []certificatesv1.KeyUsage{certificatesv1.UsageClientAuth},
	}}
}

func statusCheck(clients kubernetes.Interface) check {
	return check{"a pod is bound, and its status is written apart", func(ctx context.Context) error {
		pods := clients.CoreV1().Pods(space)
		if _, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: named("bound"), Spec: podSpec()}, metav1.CreateOptions{}); err != nil {
			return err
		}
		binding := &corev1.Binding{ObjectMeta: named("bound"), Target: corev1.ObjectReference{Kind: "Node", Name: "node-b"}}
		if err := pods.Bind(ctx, binding, metav1.CreateOptions{}); err != nil {
			return err
		}
		pod, err := pods.Get(ctx, "bound", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if err := expect("the node", pod.Spec.NodeName, "node-b"); err != nil {
			return err
		}
		pod.Status.Phase = corev1.PodRunning
		pod.Spec.NodeName = "not through the status"
		if pod, err = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
			return err
		}
		if err := expect("the phase", pod.Status.Phase, corev1.PodRunning); err != nil {
			return err
		}
		return expect("the node", pod.Spec.NodeName, "node-b")
	}}
}

func scaleCheck(clients kubernetes.Interface) check {
	return check{"a deployment is scaled", func(ctx context.Context) error {
		deployments := clients.AppsV1().Deployments(space)
		web := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
		deployment := &appsv1.Deployment{ObjectMeta: named("scaled"), Spec: appsv1.DeploymentSpec{Selector: web, Template: podTemplate()}}
		if _, err := deployments.Create(ctx, deployment, metav1.CreateOptions{}); err != nil {
			return err
		}
		scale, err := deployments.GetScale(ctx, "scaled", metav1.GetOptions{})
		if err != nil {
			return err
		}
		scale.Spec.Replicas = 7
		if _, err := deployments.UpdateScale(ctx, "scaled", scale, metav1.UpdateOptions{}); err != nil {
			return err
		}
		read, err := deployments.Get(ctx, "scaled", metav1.GetOptions{})
		if err != nil {
			return err
		}
		return expect("the number of replicas", *read.Spec.Replicas, 7)
	}}
}

func approvalCheck(clients kubernetes.Interface) check {
	return check{"a certificate is approved", func(ctx context.Context) error {
		requests := clients.CertificatesV1().CertificateSigningRequests()
		request, err := requests.Create(ctx, signingRequest("approved"), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		request.Status.Conditions = append(request.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{
			Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "Test"})
		request, err = requests.UpdateApproval(ctx, "approved", request, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		return expect("the number of conditions", len(request.Status.Conditions), 1)
	}}
}

func pagesCheck(clients kubernetes.Interface) check {
	return check{"a list comes in pages", func(ctx context.Context) error {
		maps := clients.CoreV1().ConfigMaps(space)
		for _, name := range []string{"page-1", "page-2", "page-3"} {
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"page": "yes"}}}
			if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
				return err
			}
		}
		options := metav1.ListOptions{LabelSelector: "page", Limit: 2}
		first, err := maps.List(ctx, options)
		if err != nil {
			return err
		}
		options.Continue = first.Continue
		second, err := maps.List(ctx, options)
		if err != nil {
			return err
		}
		if err := expect("the second page's version", second.ResourceVersion, first.ResourceVersion); err != nil {
			return err
		}
		return expect("the lengths", [2]int{len(first.Items), len(second.Items)}, [2]int{2, 1})
	}}
}
