import { App, Chart, Testing } from 'cdk8s';
import { Cluster, EXPOSURE } from './support/cluster';
import { KUBERNETES_VERSION } from './support/versions';
import { KubernetesServiceHostInjection, KubernetesServiceHostInjectionProps } from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

const HOST = { name: 'KUBERNETES_SERVICE_HOST', value: 'tenant-01.k8s.example.com' };
const PORT = { name: 'KUBERNETES_SERVICE_PORT', value: '443' };

let cluster: Cluster;
let pods = 0;

interface PodRequest {
  readonly spec: object;
  readonly namespace?: string;
  readonly labels?: object;
  readonly annotations?: object;
}

function container(name: string, env?: object[]): object {
  return { name, image: 'client', ...env && { env } };
}

/** Creates a pod and gives what the API server stored. */
async function stored({ spec, namespace = 'default', labels, annotations }: PodRequest): Promise<any> {
  const name = `pod-${++pods}`;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels, annotations }, spec };
  await cluster.kubectl(['create', '--filename=-'], { input: JSON.stringify(pod) });
  return cluster.get('pod', namespace, name);
}

function containersOf(pod: any): any[] {
  return [...pod.spec.initContainers ?? [], ...pod.spec.containers, ...pod.spec.ephemeralContainers ?? []];
}

/** The environment of every container of a pod, by name. */
function envs(pod: any): { [container: string]: unknown } {
  return Object.fromEntries(containersOf(pod).map(({ name, env }) => [name, env]));
}

async function storedEnvs(request: PodRequest): Promise<{ [container: string]: unknown }> {
  return envs(await stored(request));
}

function policies(props: Partial<KubernetesServiceHostInjectionProps> = {}): any[] {
  const chart = new Chart(new App(), 'tenant');
  new KubernetesServiceHostInjection(chart, 'injection', { exposure: EXPOSURE, kubernetesVersion: KUBERNETES_VERSION, ...props });
  return Testing.synth(chart);
}

/** The API server takes policies up a moment after they are stored. */
function inForce(check: () => Promise<boolean>): Promise<unknown> {
  return eventually(check, 30_000);
}

beforeAll(async () => {
  cluster = await Cluster.start({ apiServerArgs: KubernetesServiceHostInjection.apiServerArgs(KUBERNETES_VERSION) });
  for (const [name, labels] of [['apps', {}], ['left-alone', { [KubernetesServiceHostInjection.OPT_OUT_LABEL]: 'disabled' }]]) {
    await cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }]);
  }
  await cluster.apply(policies(), '--validate=strict');
  await inForce(async () => (await storedEnvs({ spec: { containers: [container('client')] } })).client !== undefined);
}, 120_000);

afterAll(stopParts);

describe('a pod gets the public host and port', () => {
  test('in a container without an environment, in every namespace', async () => {
    for (const namespace of ['default', 'apps']) {
      expect(await storedEnvs({ namespace, spec: { containers: [container('client')] } })).toEqual({ client: [HOST, PORT] });
    }
  });

  test('before the variables that a container has, so that they can refer to it', async () => {
    const own = [{ name: 'API', value: 'https://$(KUBERNETES_SERVICE_HOST)' }, { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }];
    expect(await storedEnvs({ spec: { containers: [container('client', own)] } })).toEqual({ client: [HOST, PORT, ...own] });
  });

  test('in all of several containers, init containers and sidecars', async () => {
    const own = { name: 'A', value: 'a' };
    expect(await storedEnvs({
      spec: {
        initContainers: [container('migrate', [own]), { ...container('sidecar'), restartPolicy: 'Always' }],
        containers: [container('first'), container('second', [own]), container('third')],
      },
    })).toEqual({
      migrate: [HOST, PORT, own], sidecar: [HOST, PORT], first: [HOST, PORT], second: [HOST, PORT, own], third: [HOST, PORT],
    });
  });

  test('in a pod of fifty containers with a hundred variables each', async () => {
    const own = Array.from({ length: 100 }, (_, i) => ({ name: `VARIABLE_${i}`, value: 'x' }));
    const names = Array.from({ length: 50 }, (_, i) => `container-${i}`);
    expect(await storedEnvs({ spec: { containers: names.map(name => container(name, own)) } }))
      .toEqual(Object.fromEntries(names.map(name => [name, [HOST, PORT, ...own]])));
  });

  test('in containers that a later policy adds', async () => {
    const [{ apiVersion }] = policies();
    const metadata = { name: 'sidecar' };
    await cluster.apply([
      {
        apiVersion,
        kind: 'MutatingAdmissionPolicy',
        metadata,
        spec: {
          failurePolicy: 'Fail',
          reinvocationPolicy: 'Never',
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
          matchConditions: [{ name: 'asks', expression: 'has(object.metadata.labels) && "with-sidecar" in object.metadata.labels' }],
          mutations: [{
            patchType: 'JSONPatch',
            jsonPatch: { expression: '[JSONPatch{op: "add", path: "/spec/containers/0", value: Object.spec.containers{name: "sidecar", image: "sidecar"}}]' },
          }],
        },
      },
      { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata, spec: { policyName: 'sidecar' } },
    ]);
    let pod: any;
    await inForce(async () => {
      pod = await stored({ labels: { 'with-sidecar': '' }, spec: { containers: [container('client')] } });
      return pod.spec.containers.length === 2;
    });
    expect(envs(pod)).toEqual({ sidecar: [HOST, PORT], client: [HOST, PORT] });
  });
});

describe('a pod is left as it is', () => {
  test('once it has the variables', async () => {
    const first = await stored({ spec: { containers: [container('client', [{ name: 'A', value: 'a' }])] } });
    const { nodeName: _, ...spec } = first.spec;
    expect((await stored({ spec })).spec).toEqual(first.spec);
  });

  test.each([
    ['host', [{ name: 'KUBERNETES_SERVICE_HOST', value: '10.0.0.1' }]],
    ['port', [{ name: 'A', value: 'a' }, { name: 'KUBERNETES_SERVICE_PORT', value: '6443' }]],
    ['host, from its node', [{ name: 'KUBERNETES_SERVICE_HOST', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.hostIP' } } }]],
  ])('in the container that sets its own %s', async (_, env) => {
    expect(await storedEnvs({ spec: { containers: [container('own', env), container('other')] } }))
      .toEqual({ own: env, other: [HOST, PORT] });
  });

  test('with the label that opts out, and no other value of it', async () => {
    const spec = { containers: [container('client')] };
    const label = KubernetesServiceHostInjection.OPT_OUT_LABEL;
    expect(await storedEnvs({ labels: { [label]: 'disabled' }, spec })).toEqual({ client: undefined });
    expect(await storedEnvs({ labels: { [label]: 'enabled' }, spec })).toEqual({ client: [HOST, PORT] });
  });

  test('in a namespace with that label', async () => {
    expect(await storedEnvs({ namespace: 'left-alone', spec: { containers: [container('client')] } })).toEqual({ client: undefined });
  });

  test('in kube-system', async () => {
    expect(await storedEnvs({ namespace: 'kube-system', spec: { containers: [container('client')] } })).toEqual({ client: undefined });
  });

  test('on the host network', async () => {
    expect(await storedEnvs({ spec: { hostNetwork: true, containers: [container('client')] } })).toEqual({ client: undefined });
  });

  test('when it shows a static pod', async () => {
    const annotations = { 'kubernetes.io/config.mirror': 'hash' };
    expect(await storedEnvs({ annotations, spec: { nodeName: 'node', containers: [container('client')] } })).toEqual({ client: undefined });
  });

  test('in ephemeral containers', async () => {
    const pod = await stored({ spec: { containers: [container('client')] } });
    pod.spec.ephemeralContainers = [{ name: 'debug', image: 'debug', targetContainerName: 'client' }];
    const { name, namespace } = pod.metadata;
    await cluster.kubectl(['replace', `--raw=/api/v1/namespaces/${namespace}/pods/${name}/ephemeralcontainers`, '--filename=-'], { input: JSON.stringify(pod) });
    expect(envs(await cluster.get('pod', namespace, name))).toEqual({ client: [HOST, PORT], debug: undefined });
  });
});

test('a client certificate is accepted at the host and port that a pod gets', async () => {
  const pod = await stored({ spec: { containers: [container('client')] } });
  const [host, port] = pod.spec.containers[0].env.map(({ value }: { value: string }) => value);
  const answer = await cluster.kubectl(['auth', 'whoami', '--output=json'], {
    as: [
      '--kubeconfig=/dev/null', `--server=https://${host}:${port}`, `--certificate-authority=${cluster.caFile}`,
      `--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`,
    ],
  });
  expect(JSON.parse(answer).status.userInfo.username).toBe('admin');
});

test('pods of the host network and of kube-system are led there when asked for', async () => {
  await cluster.apply(policies({ hostNetworkPods: true, excludedNamespaces: [] }), '--validate=strict');
  const request = { namespace: 'kube-system', spec: { hostNetwork: true, containers: [container('client')] } };
  await inForce(async () => (await storedEnvs(request)).client !== undefined);
  expect(await storedEnvs(request)).toEqual({ client: [HOST, PORT] });
});
