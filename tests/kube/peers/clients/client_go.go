package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// Counts how informers begin.
type requestCounter struct {
	next       http.RoundTripper
	watchLists *atomic.Int64
	protobufs  *atomic.Int64
}

func (counter requestCounter) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Query().Get("sendInitialEvents") == "true" {
		counter.watchLists.Add(1)
	}
	if strings.Contains(request.Header.Get("Content-Type"), "protobuf") {
		counter.protobufs.Add(1)
	}
	return counter.next.RoundTrip(request)
}

func clientGoChecks(config *rest.Config) []check {
	os.Setenv("KUBE_FEATURE_WatchListClient", "true")
	var watchLists, protobufs atomic.Int64
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return requestCounter{next, &watchLists, &protobufs}
	})
	plain := rest.CopyConfig(config)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	clients := kubernetes.NewForConfigOrDie(config)

	checks := typedChecks(clients)
	checks = append(checks,
		check{"bodies were sent in protobuf", func(context.Context) error {
			if protobufs.Load() < 50 {
				return fmt.Errorf("only %d requests were", protobufs.Load())
			}
			return nil
		}},
		sharedInformer(clients), dynamicInformer(plain), metadataInformer(plain),
		check{"informers began with a watch list", func(context.Context) error {
			return expect("the number of watch lists", watchLists.Load(), 3)
		}},
		serverSideApply(clients), discoveryCheck(clients), eventRecorder(clients),
		elections(clients), tokenCheck(clients, plain))
	return checks
}

// What an informer told, as words: "add box".
type told chan string

func (words told) handler() cache.ResourceEventHandler {
	tell := func(what string, object any) {
		if gone, isGone := object.(cache.DeletedFinalStateUnknown); isGone {
			object = gone.Obj
		}
		words <- what + " " + object.(metav1.Object).GetName()
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("add", object) },
		UpdateFunc: func(_, object any) { tell("update", object) },
		DeleteFunc: func(object any) { tell("delete", object) },
	}
}

func (words told) expect(ctx context.Context, wanted ...string) error {
	for _, word := range wanted {
		select {
		case got := <-words:
			if got != word {
				return fmt.Errorf("told %q, not %q", got, word)
			}
		case <-ctx.Done():
			return fmt.Errorf("never told %q", word)
		}
	}
	return nil
}

const informed = "informed=yes"

// One object goes through its life; the informer must tell each step once.
func follow(ctx context.Context, maps typedcorev1.ConfigMapInterface, informer cache.SharedIndexInformer, start func(<-chan struct{})) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "before", Labels: map[string]string{"informed": "yes"}}}
	if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	words := make(told, 100)
	if _, err := informer.AddEventHandler(words.handler()); err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	start(stop)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the cache never synced")
	}
	if err := expect("the number of objects in the cache", len(informer.GetStore().List()), 1); err != nil {
		return err
	}
	object.Name = "after"
	created, err := maps.Create(ctx, object, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	created.Data = map[string]string{"a": "b"}
	if _, err := maps.Update(ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "after", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "before", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return words.expect(ctx, "add before", "add after", "update after", "delete after", "delete before")
}

func onlyInformed(options *metav1.ListOptions) { options.LabelSelector = informed }

func sharedInformer(clients kubernetes.Interface) check {
	return check{"a shared informer follows every change", func(ctx context.Context) error {
		factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(space), informers.WithTweakListOptions(onlyInformed))
		return follow(ctx, clients.CoreV1().ConfigMaps(space), factory.Core().V1().ConfigMaps().Informer(), factory.Start)
	}}
}

func dynamicInformer(config *rest.Config) check {
	return check{"a dynamic informer follows every change", func(ctx context.Context) error {
		clients, err := dynamic.NewForConfig(config)
		if err != nil {
			return err
		}
		factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(clients, 0, space, onlyInformed)
		maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps(space)
		return follow(ctx, maps, factory.ForResource(configMaps).Informer(), factory.Start)
	}}
}

func metadataInformer(config *rest.Config) check {
	return check{"a metadata informer follows every change", func(ctx context.Context) error {
		clients, err := metadata.NewForConfig(metadata.ConfigFor(config))
		if err != nil {
			return err
		}
		factory := metadatainformer.NewFilteredSharedInformerFactory(clients, 0, space, onlyInformed)
		maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps(space)
		return follow(ctx, maps, factory.ForResource(configMaps).Informer(), factory.Start)
	}}
}

func serverSideApply(clients kubernetes.Interface) check {
	return check{"fields that were applied have owners", func(ctx context.Context) error {
		maps := clients.CoreV1().ConfigMaps(space)
		red := applycorev1.ConfigMap("applied", space).WithData(map[string]string{"colour": "red"})
		if _, err := maps.Apply(ctx, red, metav1.ApplyOptions{FieldManager: "anna"}); err != nil {
			return err
		}
		blue := applycorev1.ConfigMap("applied", space).WithData(map[string]string{"colour": "blue"})
		if _, err := maps.Apply(ctx, blue, metav1.ApplyOptions{FieldManager: "ben"}); !errors.IsConflict(err) {
			return fmt.Errorf("somebody else's field answers %v", err)
		}
		applied, err := maps.Apply(ctx, blue, metav1.ApplyOptions{FieldManager: "ben", Force: true})
		if err != nil {
			return err
		}
		if err := expect("the colour", applied.Data["colour"], "blue"); err != nil {
			return err
		}
		extracted, err := applycorev1.ExtractConfigMap(applied, "anna")
		if err != nil {
			return err
		}
		return expect("the number of fields that anna still has", len(extracted.Data), 0)
	}}
}

func discoveryCheck(clients kubernetes.Interface) check {
	return check{"discovery and the REST mapper know the kinds", func(ctx context.Context) error {
		cached := memory.NewMemCacheClient(clients.Discovery())
		mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cached), cached, nil)
		kind, err := mapper.KindFor(schema.GroupVersionResource{Resource: "deploy"})
		if err != nil {
			return err
		}
		if err := expect("the kind of deploy", kind.String(), "apps/v1, Kind=Deployment"); err != nil {
			return err
		}
		mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"})
		if err != nil {
			return err
		}
		if err := expect("its scope", mapping.Scope.Name(), "root"); err != nil {
			return err
		}
		if _, err := discovery.ServerPreferredNamespacedResources(clients.Discovery()); err != nil {
			return err
		}
		paths, err := clients.Discovery().OpenAPIV3().Paths()
		if err != nil {
			return err
		}
		if paths["apis/apps/v1"] == nil {
			return fmt.Errorf("OpenAPI does not tell of apis/apps/v1")
		}
		_, err = clients.Discovery().OpenAPISchema()
		return err
	}}
}

func eventRecorder(clients kubernetes.Interface) check {
	return check{"an event that comes again is counted", func(ctx context.Context) error {
		broadcaster := record.NewBroadcaster()
		defer broadcaster.Shutdown()
		broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events(space)})
		recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "clients"})
		about := &corev1.ObjectReference{APIVersion: "v1", Kind: "ConfigMap", Namespace: space, Name: "applied", UID: "1"}
		for range 3 {
			recorder.Event(about, corev1.EventTypeNormal, "Said", "the same again")
		}
		return eventually(ctx, func(ctx context.Context) error {
			events, err := clients.CoreV1().Events(space).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=applied,reason=Said"})
			if err != nil {
				return err
			}
			if err := expect("the number of events", len(events.Items), 1); err != nil {
				return err
			}
			return expect("the count", events.Items[0].Count, 3)
		})
	}}
}

func elections(clients kubernetes.Interface) check {
	return check{"one of two candidates leads, then the other", func(ctx context.Context) error {
		leads := make(chan string, 10)
		run := func(name string) context.CancelFunc {
			candidacy, cancel := context.WithCancel(ctx)
			lock := &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Namespace: space, Name: "election"},
				Client: clients.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: name}}
			go leaderelection.RunOrDie(candidacy, leaderelection.LeaderElectionConfig{
				Lock: lock, ReleaseOnCancel: true,
				LeaseDuration: 30 * time.Second, RenewDeadline: 20 * time.Second, RetryPeriod: 200 * time.Millisecond,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(context.Context) { leads <- name },
					OnStoppedLeading: func() {},
				},
			})
			return cancel
		}
		next := func(wanted string) error {
			select {
			case name := <-leads:
				return expect("the leader", name, wanted)
			case <-ctx.Done():
				return fmt.Errorf("%s never leads", wanted)
			}
		}
		stopFirst := run("first")
		defer stopFirst()
		if err := next("first"); err != nil {
			return err
		}
		defer run("second")()
		stopFirst()
		return next("second")
	}}
}

func tokenCheck(clients kubernetes.Interface, config *rest.Config) check {
	return check{"a token of a service account may do what its role says", func(ctx context.Context) error {
		answer, err := clients.CoreV1().ServiceAccounts(space).CreateToken(ctx, "clerk", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		bearer := rest.AnonymousClientConfig(config)
		bearer.BearerToken = answer.Status.Token
		clerk := kubernetes.NewForConfigOrDie(bearer)
		review, err := clerk.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		if err := expect("the user", review.Status.UserInfo.Username, "system:serviceaccount:clients:clerk"); err != nil {
			return err
		}
		maps := clerk.CoreV1().ConfigMaps(space)
		if _, err := maps.List(ctx, metav1.ListOptions{}); !errors.IsForbidden(err) {
			return fmt.Errorf("a list without a role answers %v", err)
		}
		// The role "view" is only filled where somebody aggregates roles.
		binding := &rbacv1.RoleBinding{ObjectMeta: named("clerk"),
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: space, Name: "clerk"}},
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:aggregate-to-view"}}
		if _, err := clients.RbacV1().RoleBindings(space).Create(ctx, binding, metav1.CreateOptions{}); err != nil {
			return err
		}
		return eventually(ctx, func(ctx context.Context) error {
			_, err := maps.List(ctx, metav1.ListOptions{})
			return err
		})
	}}
}
