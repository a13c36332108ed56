package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "example.com/moor"

// A boat has a ConfigMap of its own name, and says in its status when that is there.
type boat struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Colour string `json:"colour,omitempty"`
	} `json:"spec,omitempty"`
	Status struct {
		Afloat bool `json:"afloat,omitempty"`
	} `json:"status,omitempty"`
}

func (b *boat) DeepCopyObject() runtime.Object {
	copied := *b
	copied.ObjectMeta = *b.ObjectMeta.DeepCopy()
	return &copied
}

type boatList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []boat `json:"items"`
}

func (l *boatList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = nil
	for i := range l.Items {
		copied.Items = append(copied.Items, *l.Items[i].DeepCopyObject().(*boat))
	}
	return &copied
}

func boatScheme() *runtime.Scheme {
	known := runtime.NewScheme()
	version := schema.GroupVersion{Group: "clients.example.com", Version: "v1"}
	known.AddKnownTypeWithName(version.WithKind("Boat"), &boat{})
	known.AddKnownTypeWithName(version.WithKind("BoatList"), &boatList{})
	metav1.AddToGroupVersion(known, version)
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(known); err != nil {
			panic(err)
		}
	}
	return known
}

func boatDefinition() *apiextensionsv1.CustomResourceDefinition {
	keep := true
	anything := apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &keep}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "boats.clients.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "clients.example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "boats", Singular: "boat", Kind: "Boat", ListKind: "BoatList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": anything, "status": anything}}},
			}},
		},
	}
}

type reconciler struct {
	client.Client
	moored chan string // Boats whose finalizer was seen to.
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var found boat
	if err := r.Get(ctx, request.NamespacedName, &found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !found.DeletionTimestamp.IsZero() {
		if !controllerutil.RemoveFinalizer(&found, finalizer) {
			return ctrl.Result{}, nil
		}
		if err := r.Update(ctx, &found); err != nil {
			return ctrl.Result{}, err
		}
		r.moored <- found.Name
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&found, finalizer) {
		return ctrl.Result{}, r.Update(ctx, &found)
	}
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: found.Namespace, Name: found.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"colour": found.Spec.Colour}
		return controllerutil.SetControllerReference(&found, child, r.Scheme())
	})
	if err != nil || found.Status.Afloat {
		return ctrl.Result{}, err
	}
	found.Status.Afloat = true
	return ctrl.Result{}, r.Status().Update(ctx, &found)
}

func managerChecks(config *rest.Config) []check {
	ctrl.SetLogger(klog.Background())
	known := boatScheme()
	direct, err := client.New(config, client.Options{Scheme: known})
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(2)
	}
	moored := make(chan string, 10)
	key := client.ObjectKey{Namespace: "boats", Name: "nina"}
	child := func(ctx context.Context) (*corev1.ConfigMap, error) {
		var found corev1.ConfigMap
		err := direct.Get(ctx, key, &found)
		return &found, err
	}
	checks := []check{
		{"a definition is served soon after it was made", func(ctx context.Context) error {
			if err := direct.Create(ctx, boatDefinition()); err != nil {
				return err
			}
			if err := direct.Create(ctx, &corev1.Namespace{ObjectMeta: named("boats")}); err != nil {
				return err
			}
			return eventually(ctx, func(ctx context.Context) error { return direct.List(ctx, &boatList{}) })
		}},
		{"a manager starts, leads and fills its cache", func(ctx context.Context) error {
			return startManager(ctx, config, known, moored)
		}},
		{"a boat gets its ConfigMap and its status", func(ctx context.Context) error {
			made := &boat{ObjectMeta: metav1.ObjectMeta{Namespace: "boats", Name: "nina"}}
			made.Spec.Colour = "red"
			if err := direct.Create(ctx, made); err != nil {
				return err
			}
			return eventually(ctx, func(ctx context.Context) error {
				var found boat
				if err := direct.Get(ctx, key, &found); err != nil {
					return err
				}
				if err := expect("afloat", found.Status.Afloat, true); err != nil {
					return err
				}
				mine, err := child(ctx)
				if err != nil {
					return err
				}
				return expect("its colour", mine.Data["colour"], "red")
			})
		}},
		{"a change of the boat reaches the ConfigMap", func(ctx context.Context) error {
			var found boat
			if err := direct.Get(ctx, key, &found); err != nil {
				return err
			}
			before := found.DeepCopyObject().(*boat)
			found.Spec.Colour = "green"
			if err := direct.Patch(ctx, &found, client.MergeFrom(before)); err != nil {
				return err
			}
			return eventually(ctx, func(ctx context.Context) error {
				mine, err := child(ctx)
				if err != nil {
					return err
				}
				return expect("its colour", mine.Data["colour"], "green")
			})
		}},
		{"a ConfigMap that was deleted comes again", func(ctx context.Context) error {
			old, err := child(ctx)
			if err != nil {
				return err
			}
			if err := direct.Delete(ctx, old); err != nil {
				return err
			}
			return eventually(ctx, func(ctx context.Context) error {
				mine, err := child(ctx)
				if err == nil && mine.UID == old.UID {
					return fmt.Errorf("it is still the old one")
				}
				return err
			})
		}},
		{"a finalizer holds the boat until it was seen to", func(ctx context.Context) error {
			if err := direct.Delete(ctx, &boat{ObjectMeta: metav1.ObjectMeta{Namespace: "boats", Name: "nina"}}); err != nil {
				return err
			}
			select {
			case <-moored:
			case <-ctx.Done():
				return fmt.Errorf("nobody was asked")
			}
			var found boat
			if err := direct.Get(ctx, key, &found); !errors.IsNotFound(err) {
				return fmt.Errorf("the boat is still there: %v", err)
			}
			return nil
		}},
	}
	if os.Getenv("GARBAGE_COLLECTOR") == "no" {
		return checks
	}
	return append(checks, check{"the ConfigMap goes with its owner", func(ctx context.Context) error {
		return eventually(ctx, func(ctx context.Context) error {
			if _, err := child(ctx); !errors.IsNotFound(err) {
				return fmt.Errorf("it is still there: %v", err)
			}
			return nil
		})
	}})
}

// It runs until the program ends.
func startManager(ctx context.Context, config *rest.Config, known *runtime.Scheme, moored chan string) error {
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: known, Metrics: server.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "boats", LeaderElectionNamespace: "boats",
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).For(&boat{}).Owns(&corev1.ConfigMap{}).
		Complete(&reconciler{Client: manager.GetClient(), moored: moored})
	if err != nil {
		return err
	}
	go func() {
		if err := manager.Start(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "clients: the manager ended:", err)
			os.Exit(1)
		}
	}()
	select {
	case <-manager.Elected():
	case <-ctx.Done():
		return fmt.Errorf("it never leads")
	}
	if !manager.GetCache().WaitForCacheSync(ctx) {
		return fmt.Errorf("its cache never synced")
	}
	return nil
}
