"""A score provider outside of Berth: publishes numbers about one cluster, with the official Python client.

usage: score_provider.py KUBECONFIG CLUSTER OBJECT NAME=VALUE... [--valid-for SECONDS]

Whatever can patch the status of an AddOnPlacementScore in a cluster's namespace is a provider. This one takes
its numbers from the command line; call it from a timer.
"""

import argparse
import datetime

from kubernetes import client, config

GROUP, VERSION, PLURAL = "cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"
CONDITION = "AddOnPlacementScoreUpdated"


def rfc3339(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def create_if_missing(api, cluster, name):
    """A status in the body of a create is dropped by the server, so that comes afterwards."""
    try:
        return api.get_namespaced_custom_object(GROUP, VERSION, cluster, PLURAL, name)
    except client.ApiException as error:
        if error.status != 404:
            raise
    body = {"apiVersion": f"{GROUP}/{VERSION}", "kind": "AddOnPlacementScore", "metadata": {"name": name}}
    return api.create_namespaced_custom_object(GROUP, VERSION, cluster, PLURAL, body)


def conditions_with_ours(score, now):
    """The conditions of others stay; the time of ours changes with its status only."""
    before = score.get("status", {}).get("conditions", [])
    ours = next((one for one in before if one["type"] == CONDITION), None)
    since = ours["lastTransitionTime"] if ours and ours["status"] == "True" else rfc3339(now)
    return [one for one in before if one["type"] != CONDITION] + [{
        "type": CONDITION, "status": "True", "reason": CONDITION,
        "message": "AddOnPlacementScore updated successfully", "lastTransitionTime": since}]


def publish(api, cluster, name, values, valid_for):
    score = create_if_missing(api, cluster, name)
    now = datetime.datetime.now(datetime.timezone.utc)
    status = {
        # Clamped: one value out of range, and the server refuses all of them.
        "scores": [{"name": key, "value": max(-100, min(100, value))} for key, value in sorted(values.items())],
        # Without an end a provider that died would be believed for ever.
        "validUntil": rfc3339(now + datetime.timedelta(seconds=valid_for)),
        "conditions": conditions_with_ours(score, now)}
    # Only if nobody has written meanwhile: lists are replaced as a whole.
    patch = {"metadata": {"resourceVersion": score["metadata"]["resourceVersion"]}, "status": status}
    api.patch_namespaced_custom_object_status(GROUP, VERSION, cluster, PLURAL, name, patch)


def number(text):
    name, _, value = text.partition("=")
    return name, round(float(value))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kubeconfig")
    parser.add_argument("cluster")
    parser.add_argument("object")
    parser.add_argument("values", type=number, nargs="+", metavar="NAME=VALUE")
    parser.add_argument("--valid-for", type=int, default=180, metavar="SECONDS")
    arguments = parser.parse_args()
    config.load_kube_config(arguments.kubeconfig)
    publish(client.CustomObjectsApi(), arguments.cluster, arguments.object, dict(arguments.values),
            arguments.valid_for)


main()
