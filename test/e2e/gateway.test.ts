import { readFileSync } from 'fs';
import { IncomingMessage } from 'http';
import { request } from 'https';
import { Cluster } from './support/cluster';
import { Gateway, ready, startTenantProxy } from './support/gateway';
import { Exposure } from '../../src';
import { GatewayTenant } from '../../src/shared-gateway/routing-tables';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

jest.setTimeout(240_000);

const WATCHES = 500;
const FIRST = { id: '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10', address: '10.77.0.2' };
const SECOND = { id: '11111111-3a43-4ad5-93a1-0d3f6d2f3d10', address: '10.77.0.3' };

let cluster: Cluster;
let gateway: Gateway;

beforeAll(async () => {
  cluster = await Cluster.start();
  gateway = await Gateway.start([tenant('tenant-01', FIRST.id)]);
  await ready(await startTenantProxy(cluster, FIRST.id, FIRST.address), FIRST.address);
}, 240_000);

afterAll(stopParts);

/** Both tenants of the gateway lead to the one API server that there is. */
function tenant(name: string, clusterId: string): GatewayTenant {
  const exposure = new Exposure({
    name, namespace: 'tenants', hostname: `${name}.k8s.example.com`, clusterId, backend: { serviceName: name, apiPort: cluster.port },
  });
  return { exposure, routes: exposure.routes };
}

/** kubectl with the administrator's client certificate, at a tenant's proxy, by the in-cluster name. */
function kubectlBy(address: string, ...args: string[]): Promise<string> {
  return cluster.kubectl(args, {
    as: [
      `--server=https://${address}:6443`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${cluster.caFile}`,
      `--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`, '--kubeconfig=/dev/null',
    ],
  });
}

interface Watch {
  readonly response: IncomingMessage;
  events: string;
  ended: boolean;
}

/** A watch on a connection of its own, authenticated by the client certificate. */
function watch(address: string): Promise<Watch> {
  return new Promise((resolve, reject) => {
    request({
      host: address,
      port: 6443,
      servername: 'kubernetes.default.svc',
      path: '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=3600',
      ca: readFileSync(cluster.caFile),
      cert: readFileSync(cluster.file('admin.crt')),
      key: readFileSync(cluster.file('admin.key')),
      agent: false,
    }, response => {
      const opened: Watch = { response, events: '', ended: false };
      response.setEncoding('utf8').on('data', text => opened.events += text).on('close', () => opened.ended = true).on('error', () => undefined);
      if (response.statusCode === 200) {
        resolve(opened);
      } else {
        reject(new Error(`a watch got ${response.statusCode}`));
      }
    }).on('error', reject).end();
  });
}

test('a client certificate reaches the API server through the tenant\'s proxy and the gateway', async () => {
  expect(JSON.parse(await kubectlBy(FIRST.address, 'auth', 'whoami', '--output=json')).status.userInfo).toMatchObject({
    username: 'admin', groups: expect.arrayContaining(['system:masters']),
  });
  await kubectlBy(FIRST.address, 'create', 'configmap', 'by-certificate', '--namespace=default');
  expect(await kubectlBy(FIRST.address, 'get', 'configmaps', '--namespace=default', '--output=name')).toContain('configmap/by-certificate');
});

test(`a second tenant comes while ${WATCHES} watches of the first are open: none is cut, and the new one answers`, async () => {
  const second = await startTenantProxy(cluster, SECOND.id, SECOND.address);
  const watches: Watch[] = [];
  while (watches.length < WATCHES) {
    watches.push(...await Promise.all(Array.from({ length: 25 }, () => watch(FIRST.address))));
  }
  await expect(kubectlBy(SECOND.address, 'get', 'namespaces')).rejects.toThrow();

  gateway.mount([tenant('tenant-01', FIRST.id), tenant('tenant-02', SECOND.id)]);
  await ready(second, SECOND.address);
  expect(await kubectlBy(SECOND.address, 'get', 'namespaces', '--output=name')).toContain('namespace/default');

  await kubectlBy(SECOND.address, 'create', 'configmap', 'seen-by-all', '--namespace=default');
  await eventually(() => watches.every(({ events }) => events.includes('seen-by-all')), 30_000);
  expect(watches.filter(({ ended }) => ended)).toEqual([]);
  watches.forEach(({ response }) => response.destroy());
});
