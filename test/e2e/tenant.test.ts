import { Cluster } from './support/cluster';
import { Process } from './support/process';
import { LISTEN_PORT, Proxy } from './support/proxy';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

const USER = 'system:serviceaccount:kube-system:tcp-proxy';
let cluster: Cluster;
let proxy: Proxy;

/** How a pod reaches the API server: the address from the endpoints, the in-cluster name, the tenant CA, a token. */
async function asPod(namespace: string, serviceAccount: string): Promise<string[]> {
  const slice = await cluster.get('endpointslice', 'default', 'kubernetes');
  return [
    '--kubeconfig=/dev/null',
    `--server=https://${slice.endpoints[0].addresses[0]}:${slice.ports[0].port}`,
    '--tls-server-name=kubernetes.default.svc',
    `--certificate-authority=${cluster.caFile}`,
    `--token=${await cluster.token(namespace, serviceAccount)}`,
  ];
}

beforeAll(async () => {
  cluster = await Cluster.start();
  await cluster.applyAddon();
  await cluster.kubectl(['create', 'serviceaccount', 'client', '--namespace=default']);
  await cluster.kubectl(['create', 'role', 'client', '--namespace=default', '--verb=get,list,watch,create,patch', '--resource=configmaps']);
  await cluster.kubectl(['create', 'rolebinding', 'client', '--namespace=default', '--role=client', '--serviceaccount=default:client']);
  proxy = await Proxy.start(cluster, 'tcp-proxy-a', '10.77.0.2');
  await proxy.ready();
}, 120_000);

afterAll(stopParts);

describe('endpoints of the Service kubernetes', () => {
  test('hold the node of the proxy in both kinds of objects', async () => {
    const slice = await cluster.get('endpointslice', 'default', 'kubernetes');
    expect(slice).toMatchObject({
      metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port: LISTEN_PORT, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.77.0.2'], conditions: { ready: true } }],
    });
    const endpoints = await cluster.get('endpoints', 'default', 'kubernetes');
    expect(endpoints.metadata.labels['endpointslice.kubernetes.io/skip-mirror']).toBe('true');
    expect(endpoints.subsets).toEqual([
      { addresses: [{ ip: '10.77.0.2' }], ports: [{ name: 'https', port: LISTEN_PORT, protocol: 'TCP' }] },
    ]);
  });

  test.each(['endpointslice', 'endpoints'])('come back when somebody deletes the %s', async kind => {
    const { uid } = (await cluster.get(kind, 'default', 'kubernetes')).metadata;
    await cluster.kubectl(['delete', kind, '--namespace=default', 'kubernetes']);
    await eventually(async () => {
      const repaired = await cluster.get(kind, 'default', 'kubernetes');
      return repaired && repaired.metadata.uid !== uid;
    });
  });

  test('are put right when somebody edits them', async () => {
    await cluster.kubectl(['patch', 'endpointslice', '--namespace=default', 'kubernetes', '--type=json', '--patch',
      JSON.stringify([{ op: 'replace', path: '/endpoints/0/addresses/0', value: '10.77.0.99' }])]);
    await eventually(async () =>
      (await cluster.get('endpointslice', 'default', 'kubernetes')).endpoints[0].addresses[0] === '10.77.0.2');
  });
});

describe('a pod that dials the address of the endpoints', () => {
  let pod: string[];
  beforeAll(async () => {
    pod = await asPod('default', 'client');
  });

  test('authenticates with the token of its service account', async () => {
    const answer = await cluster.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], { as: pod });
    expect(answer).toBe('system:serviceaccount:default:client');
  });

  test('reads, writes and is refused what it may not do', async () => {
    await cluster.kubectl(['apply', '--filename=-'], {
      as: pod,
      input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'written', namespace: 'default' }, data: { by: 'pod' } }),
    });
    expect(await cluster.kubectl(['get', 'configmap', 'written', '--namespace=default', '--output=jsonpath={.data.by}'], { as: pod })).toBe('pod');
    await expect(cluster.kubectl(['get', 'secrets', '--namespace=kube-system'], { as: pod })).rejects.toThrow(/Forbidden/);
  });

  test('watches', async () => {
    const watch = new Process(`${process.env.KUBEBUILDER_ASSETS}/kubectl`,
      [...pod, 'get', 'configmaps', '--namespace=default', '--watch-only', '--output=name']);
    await eventually(async () => {
      await cluster.kubectl(['create', 'configmap', `seen-${Date.now()}`, '--namespace=default']);
      return watch.output.includes('configmap/seen-');
    });
    await watch.kill('SIGTERM');
  });

  test('is not known by its client certificate, which ends at the proxy', async () => {
    const withCertificate = [...pod.filter(flag => !flag.startsWith('--token')),
      `--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`];
    await expect(cluster.kubectl(['get', 'namespaces'], { as: withCertificate })).rejects.toThrow(/Unauthorized|Forbidden|must be logged in/);
  });
});

describe('the permissions of the manifests', () => {
  test('suffice: the API server refused nothing', () => {
    const refused = cluster.auditOf(USER).filter(event => event.responseStatus!.code === 403);
    expect(refused).toEqual([]);
  });

  test('are used for endpoints and the own pods alone', () => {
    const used = new Set(cluster.auditOf(USER).map(({ objectRef }) => `${objectRef?.namespace}/${objectRef?.resource}`));
    expect([...used].sort()).toEqual([
      'default/endpoints', 'default/endpointslices', 'default/services', 'kube-system/pods',
    ]);
  });
});
