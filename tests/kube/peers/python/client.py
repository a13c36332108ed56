"""The official Python client at work on the server under test: one line for each thing that works.

usage: client.py KUBECONFIG
"""

import sys

from kubernetes import client, config, dynamic, watch

GROUP, VERSION, PLURAL = "python.example.com", "v1", "boats"


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"FAILED {what}: {got!r}, not {wanted!r}")
    print(f"ok {what}")


def status_of(call):
    """The HTTP status with which the call fails; 200 if it does not."""
    try:
        call()
    except client.ApiException as error:
        return error.status
    return 200


def define_boats(extensions):
    keep = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    name = f"{PLURAL}.{GROUP}"
    extensions.create_custom_resource_definition({
        "metadata": {"name": name},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"plural": PLURAL, "singular": "boat", "kind": "Boat"},
            "versions": [{
                "name": VERSION, "served": True, "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": keep}}}}]}})
    for event in watch.Watch().stream(extensions.list_custom_resource_definition,
                                      field_selector=f"metadata.name={name}", timeout_seconds=30):
        conditions = event["object"].status.conditions or []
        if any(one.type == "Established" and one.status == "True" for one in conditions):
            return
    sys.exit("FAILED the definition is not established")


def config_maps(core):
    labels = {"from": "python"}
    core.create_namespaced_config_map("python", {"metadata": {"name": "box", "labels": labels},
                                                 "data": {"colour": "red"}})
    expect("a second create is a conflict",
           status_of(lambda: core.create_namespaced_config_map("python", {"metadata": {"name": "box"}})), 409)
    box = core.patch_namespaced_config_map("box", "python", {"data": {"colour": "blue"}})
    expect("a ConfigMap is patched", box.data, {"colour": "blue"})
    box.data["size"] = "small"
    box = core.replace_namespaced_config_map("box", "python", box)
    expect("a ConfigMap is replaced", box.data, {"colour": "blue", "size": "small"})
    listed = core.list_namespaced_config_map("python", label_selector="from=python", limit=1)
    expect("a ConfigMap is listed", [one.metadata.name for one in listed.items], ["box"])

    core.delete_namespaced_config_map("box", "python")
    told = []
    for event in watch.Watch().stream(core.list_namespaced_config_map, "python", label_selector="from=python",
                                      resource_version=listed.metadata.resource_version, timeout_seconds=30):
        told.append((event["type"], event["object"].metadata.name))
        break
    expect("a watch from a version tells of the deletion", told, [("DELETED", "box")])
    expect("what is gone is not found",
           status_of(lambda: core.read_namespaced_config_map("box", "python")), 404)


def boats(api, custom):
    where = (GROUP, VERSION, "python", PLURAL)
    custom.create_namespaced_custom_object(*where, {
        "apiVersion": f"{GROUP}/{VERSION}", "kind": "Boat", "metadata": {"name": "nina"}, "spec": {"oars": 4}})
    patched = custom.patch_namespaced_custom_object(*where, "nina", {"spec": {"oars": 6}})
    expect("a custom object is patched", patched["spec"], {"oars": 6})
    listed = custom.list_namespaced_custom_object(*where)
    expect("a custom object is listed", [one["metadata"]["name"] for one in listed["items"]], ["nina"])

    # The dynamic client finds the kind by discovery.
    found = dynamic.DynamicClient(api).resources.get(api_version=f"{GROUP}/{VERSION}", kind="Boat")
    applied = found.server_side_apply(
        {"apiVersion": f"{GROUP}/{VERSION}", "kind": "Boat", "metadata": {"name": "pinta"}, "spec": {"oars": 2}},
        namespace="python", field_manager="python")
    expect("a custom object is applied", applied.spec.oars, 2)

    told = []
    for event in watch.Watch().stream(custom.list_namespaced_custom_object, *where, timeout_seconds=30):
        told.append((event["type"], event["object"]["metadata"]["name"]))
        if len(told) == 2:
            custom.delete_namespaced_custom_object(*where, "nina")
        if len(told) == 3:
            break
    expect("a watch tells of custom objects", told,
           [("ADDED", "nina"), ("ADDED", "pinta"), ("DELETED", "nina")])


def main():
    config.load_kube_config(sys.argv[1])
    api = client.ApiClient()
    core = client.CoreV1Api(api)
    core.create_namespace({"metadata": {"name": "python"}})
    names = [one.metadata.name for one in core.list_namespace().items]
    expect("namespaces are listed", "python" in names and "default" in names, True)
    config_maps(core)
    define_boats(client.ApiextensionsV1Api(api))
    boats(api, client.CustomObjectsApi(api))
    version = client.VersionApi(api).get_code()
    expect("the server tells its version", version.major, "1")


main()
