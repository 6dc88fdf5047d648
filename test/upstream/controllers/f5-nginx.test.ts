import { randomUUID } from 'crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { checkCompetitors, ingressFor } from './support/competitors';
import { startContained } from './support/contained';
import { listening } from './support/listening';
import { describeController } from './support/suite';
import { PORT_RANGE } from './support/tenants';
import { IngressController } from '../../../src';
import { Cluster } from '../../e2e/support/cluster';
import { freePorts } from '../../support/ports';
import { provided } from '../support/provided';

const [ROOT, DEFINITIONS] = provided('f5-nginx');
const NGINX_VERSION = /^Version: (\d+\.\d+\.\d+)/m.exec(readFileSync(join(ROOT, 'var/lib/dpkg/status.d/nginx'), 'utf8'))![1];
/** Where a pod finds its service account. */
const ACCOUNT = 'var/run/secrets/kubernetes.io/serviceaccount';
const POD = { name: 'nginx-ingress', namespace: 'default' };

/** Debian has the module of streams in a file of its own, that F5's NGINX is built with; and all runs as the user of the tests. */
const OF_DEBIAN = { 'main-snippets': 'load_module modules/ngx_stream_module.so;\nuser root;' };

function rootOf(cluster: Cluster): string {
  return cluster.file('nginx');
}

/** A custom resource that leads a host to another tenant. */
function competitor(kind: 'TransportServer' | 'VirtualServer', host: string): any {
  const action = { pass: 'four' };
  return {
    apiVersion: 'k8s.nginx.org/v1',
    kind,
    metadata: { name: 'of-somebody', namespace: 'team' },
    spec: {
      ingressClassName: 'nginx',
      host,
      upstreams: [{ name: 'four', service: 'four', port: 6443 }],
      ...kind === 'TransportServer' ? { listener: { name: 'tls-passthrough', protocol: 'TLS_PASSTHROUGH' }, action } : { routes: [{ path: '/', action }] },
    },
  };
}

/** Runs the controller as its chart does, in a copy of what the image would hold, as its paths are fixed. */
async function startController(cluster: Cluster, controller: IngressController): Promise<void> {
  const { ingressClass: { name: ingressClass }, config, globalConfiguration, ...enabled } = controller.helmValues().controller;
  await cluster.apply([
    { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: ingressClass }, spec: { controller: 'nginx.org/ingress-controller' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'nginx', namespace: 'default' }, data: { ...config.entries, ...OF_DEBIAN } },
    { apiVersion: 'k8s.nginx.org/v1', kind: 'GlobalConfiguration', metadata: { name: 'nginx', namespace: 'default' }, spec: globalConfiguration.spec },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: POD },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      // It reads the name of its ReplicaSet.
      metadata: { ...POD, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'nginx-ingress-1', uid: randomUUID() }] },
      spec: { serviceAccountName: POD.name, containers: [{ name: 'nginx-ingress', image: 'nginx-ingress' }] },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: POD.name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', ...POD }],
    },
  ]);
  const root = rootOf(cluster);
  cpSync(ROOT, root, { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(root, ACCOUNT), { recursive: true });
  cpSync(cluster.caFile, join(root, ACCOUNT, 'ca.crt'));
  writeFileSync(join(root, ACCOUNT, 'token'), await cluster.token(POD.namespace, POD.name));
  const [http, https, status, ready] = await freePorts(4);
  const program = startContained('chroot', [
    root, '/nginx-ingress', '-nginx-configmaps=default/nginx', `-ingress-class=${ingressClass}`, '-global-configuration=default/nginx',
    `-enable-custom-resources=${enabled.enableCustomResources}`, `-enable-tls-passthrough=${enabled.enableTLSPassthrough}`, '-enable-leader-election=false',
    `-default-http-listener-port=${http}`, `-default-https-listener-port=${https}`, `-nginx-status-port=${status}`, `-ready-status-port=${ready}`,
    '-enable-telemetry-reporting=false',
  ], {
    env: {
      ...process.env, POD_NAME: POD.name, POD_NAMESPACE: POD.namespace, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(cluster.port),
    },
  });
  await listening(program, 443);
}

describeController({
  system: 'F5 NGINX',
  version: '5.5.4',
  with: [`NGINX ${NGINX_VERSION}`],
  controller: () => IngressController.f5Nginx({ portRange: PORT_RANGE }),
  definitions: [DEFINITIONS],
  start: startController,
  filtersSources: false,
  servesPorts: true,
}, (check, fleet) => {
  check('the public server, which all connections come in by, has the idle limit too', async () => {
    const text = readFileSync(join(rootOf(fleet().cluster), 'etc/nginx/nginx.conf'), 'utf8');
    expect(text.slice(text.indexOf('\nstream {'))).toMatch(/^\s*proxy_timeout 1h;$/m);
  });

  checkCompetitors(check, fleet, ({ hostname }) => ({
    'an older TransportServer': { object: competitor('TransportServer', hostname), older: true },
    'an older VirtualServer': { object: competitor('VirtualServer', hostname), older: true },
    'an older Ingress': { object: ingressFor(hostname, {}, 'nginx'), older: true },
  }));
});
