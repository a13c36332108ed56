// The official JavaScript client at work on the server under test: one line for each thing that works.
//
// usage: client.mjs KUBECONFIG, in the folder with its node_modules

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// Modules are looked for from where the program runs: they are in a cache outside the checkout.
const require = createRequire(process.cwd() + '/');
const kubernetes = await import(pathToFileURL(require.resolve('@kubernetes/client-node')));

const group = 'javascript.example.com';
const where = { group, version: 'v1', namespace: 'javascript', plural: 'boats' };
const patience = AbortSignal.timeout(60_000);

async function check(what, run) {
  try {
    await run();
  } catch (error) {
    console.log(`FAILED ${what}: ${error.stack}`);
    process.exit(1);
  }
  console.log(`ok ${what}`);
}

function fails(status) {
  return (error) => {
    assert.equal(error.code, status);
    return true;
  };
}

// What a watch tells, until `done` says so: ["ADDED box", ...].
async function told(config, path, query, done) {
  const words = [];
  await new Promise((resolve, reject) => {
    let request;
    const tell = (kind, object) => {
      words.push(`${kind} ${object.metadata.name}`);
      if (done(words)) {
        resolve();
        request.then((controller) => controller.abort());
      }
    };
    request = new kubernetes.Watch(config).watch(path, query, tell, (error) => reject(error ?? new Error(`only ${words}`)));
    patience.addEventListener('abort', () => reject(new Error(`only ${words}`)));
  });
  return words;
}

const config = new kubernetes.KubeConfig();
config.loadFromFile(process.argv[2]);
const core = config.makeApiClient(kubernetes.CoreV1Api);
const custom = config.makeApiClient(kubernetes.CustomObjectsApi);
const extensions = config.makeApiClient(kubernetes.ApiextensionsV1Api);
const merge = kubernetes.setHeaderOptions('Content-Type', kubernetes.PatchStrategy.MergePatch);
const maps = { namespace: 'javascript' };

await check('namespaces are listed', async () => {
  await core.createNamespace({ body: { metadata: { name: 'javascript' } } });
  const names = (await core.listNamespace()).items.map((one) => one.metadata.name);
  assert(names.includes('javascript') && names.includes('default'));
});

await check('a ConfigMap is made once', async () => {
  const body = { metadata: { name: 'box', labels: { from: 'javascript' } }, data: { colour: 'red' } };
  const made = await core.createNamespacedConfigMap({ ...maps, body });
  assert(made.metadata.creationTimestamp instanceof Date);
  await assert.rejects(core.createNamespacedConfigMap({ ...maps, body }), fails(409));
});

await check('a ConfigMap is patched', async () => {
  const body = { data: { colour: 'blue' } };
  const box = await core.patchNamespacedConfigMap({ ...maps, name: 'box', body }, merge);
  assert.deepEqual(box.data, { colour: 'blue' });
});

await check('a ConfigMap is replaced', async () => {
  const box = await core.readNamespacedConfigMap({ ...maps, name: 'box' });
  box.data.size = 'small';
  const replaced = await core.replaceNamespacedConfigMap({ ...maps, name: 'box', body: box });
  assert.deepEqual(replaced.data, { colour: 'blue', size: 'small' });
});

await check('a watch from a version tells of the deletion', async () => {
  const labelSelector = 'from=javascript';
  const list = await core.listNamespacedConfigMap({ ...maps, labelSelector });
  assert.deepEqual(list.items.map((one) => one.metadata.name), ['box']);
  await core.deleteNamespacedConfigMap({ ...maps, name: 'box' });
  const query = { labelSelector, resourceVersion: list.metadata.resourceVersion };
  const words = await told(config, '/api/v1/namespaces/javascript/configmaps', query, () => true);
  assert.deepEqual(words, ['DELETED box']);
  await assert.rejects(core.readNamespacedConfigMap({ ...maps, name: 'box' }), fails(404));
});

await check('a definition is served soon after it was made', async () => {
  const schema = { type: 'object', x_kubernetes_preserve_unknown_fields: true };
  const body = {
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'boats', singular: 'boat', kind: 'Boat' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  await extensions.createCustomResourceDefinition({ body });
  while (true) {
    patience.throwIfAborted();
    const read = await extensions.readCustomResourceDefinition({ name: body.metadata.name });
    const conditions = read.status?.conditions ?? [];
    if (conditions.some((one) => one.type === 'Established' && one.status === 'True')) break;
  }
});

await check('a custom object is made, patched and listed', async () => {
  const body = { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'nina' }, spec: { oars: 4 } };
  await custom.createNamespacedCustomObject({ ...where, body });
  const patched = await custom.patchNamespacedCustomObject({ ...where, name: 'nina', body: { spec: { oars: 6 } } }, merge);
  assert.deepEqual(patched.spec, { oars: 6 });
  const list = await custom.listNamespacedCustomObject(where);
  assert.deepEqual(list.items.map((one) => one.metadata.name), ['nina']);
});

await check('the generic client applies a custom object', async () => {
  const objects = kubernetes.KubernetesObjectApi.makeApiClient(config);
  const spec = { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'pinta', namespace: 'javascript' }, spec: { oars: 2 } };
  const applied = await objects.patch(spec, undefined, undefined, 'javascript', true, kubernetes.PatchStrategy.ServerSideApply);
  assert.deepEqual(applied.spec, { oars: 2 });
});

await check('a watch tells of custom objects', async () => {
  const path = `/apis/${group}/v1/namespaces/javascript/boats`;
  const words = await told(config, path, {}, (all) => {
    if (all.length === 2) custom.deleteNamespacedCustomObject({ ...where, name: 'nina' });
    return all.length === 3;
  });
  assert.deepEqual(words, ['ADDED nina', 'ADDED pinta', 'DELETED nina']);
});

process.exit(0);
