import { dump } from 'js-yaml';
import { SYNTHESIZED } from './synthesized';
import { checkFiles } from '../support/manifests';

jest.setTimeout(60_000);

beforeAll(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterAll(() => jest.restoreAllMocks());

/** What the API server and operators add to every object. */
function served(object: any): any {
  const { kind, metadata } = object;
  return {
    ...object,
    metadata: {
      namespace: 'default',
      ...metadata,
      uid: `uid-of-${kind}-${metadata.name}`,
      resourceVersion: '4711',
      generation: 3,
      creationTimestamp: '2026-11-01T00:00:00Z',
      managedFields: [{ manager: 'kubectl', operation: 'Apply', apiVersion: object.apiVersion, fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } }],
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function owned(owner: any, object: any): any {
  const { apiVersion, kind, metadata: { name, namespace } } = owner;
  const metadata = { namespace, ...object.metadata, ownerReferences: [{ apiVersion, kind, name, uid: `uid-of-${kind}-${name}`, controller: true }] };
  return served({ ...object, metadata });
}

const backend = (service: string, port: number) => ({ paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: port } } } }] });

/** The Service and, where the class is that of nobody as well, the Ingress that Kamaji and Steward make. */
function ofTenantControlPlane(tcp: any): any[] {
  const { controlPlane: { ingress, service }, networkProfile: { port = 6443 } = {} } = tcp.spec;
  const ports = [{ name: 'kube-apiserver', port, targetPort: port }, { name: 'konnectivity-server', port: 8132, targetPort: 8132 }];
  const objects = [owned(tcp, { apiVersion: 'v1', kind: 'Service', metadata: { name: tcp.metadata.name }, spec: { type: service.serviceType, ports } })];
  if (ingress === undefined || ingress.controllerType === 'traefik') return objects;
  return [...objects, owned(tcp, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: tcp.metadata.name, annotations: ingress.additionalMetadata?.annotations },
    spec: { ingressClassName: ingress.ingressClassName, rules: [{ host: ingress.hostname.replace(/:\d+$/, ''), http: backend(tcp.metadata.name, port) }] },
  })];
}

/** The TenantControlPlane that Kamaji's provider makes, and what Kamaji makes for that. */
function ofKamajiControlPlane(controlPlane: any): any[] {
  const { network: { ingress, certSANs, serviceType, advertiseAddress }, apiServer, addons, replicas } = controlPlane.spec;
  const tcp = owned(controlPlane, {
    apiVersion: 'kamaji.clastix.io/v1alpha1',
    kind: 'TenantControlPlane',
    metadata: { name: controlPlane.metadata.name },
    spec: {
      controlPlane: {
        deployment: { replicas, extraArgs: { apiServer: apiServer?.extraArgs } },
        ingress: ingress && {
          hostname: ingress.hostname,
          ingressClassName: ingress.className,
          additionalMetadata: { annotations: ingress.extraAnnotations },
        },
        service: { serviceType },
      },
      networkProfile: { certSANs: [...certSANs, ingress.hostname.replace(/:\d+$/, '')], port: 6443, advertiseAddress },
      addons,
    },
  });
  return [tcp, ...ofTenantControlPlane(tcp)];
}

/** What k0smotron makes for a Cluster: the names that it writes back, Services, the Ingress, and manifests for the tenant. */
function ofK0smotronCluster(cluster: any): any[] {
  const { metadata: { name }, spec: { service: { type, apiPort, konnectivityPort }, ingress } } = cluster;
  cluster.spec.k0sConfig.spec.api = {
    ...cluster.spec.k0sConfig.spec.api,
    externalAddress: ingress?.apiHost,
    sans: [`kmc-${name}`, ...cluster.spec.k0sConfig.spec.api?.sans ?? []],
  };
  const suffix = { NodePort: '-nodeport', LoadBalancer: '-lb' }[type as string] ?? '';
  const ports = [apiPort, konnectivityPort].map((port, i) => ({
    name: ['api', 'konnectivity'][i], port, targetPort: port, ...type === 'NodePort' ? { nodePort: port } : {}, ...type === 'LoadBalancer' ? { nodePort: 32000 + i } : {},
  }));
  return [
    owned(cluster, { apiVersion: 'v1', kind: 'Service', metadata: { name: `kmc-${name}${suffix}`, labels: { app: 'k0smotron' } }, spec: { type, ports } }),
    ...ingress === undefined ? [] : [owned(cluster, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `kmc-${name}-ingress`, labels: { app: 'k0smotron' } },
      data: {
        '1_haproxy-configmap.yaml': dump({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'k0smotron-haproxy-config', namespace: 'default' },
          data: { 'haproxy.cfg': `backend kube\n  server api ${ingress.apiHost}:443 ssl verify required ca-file /ca.crt sni str(${ingress.apiHost})\n` },
        }),
        '2_haproxy-ds.yaml': dump({
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          metadata: { name: 'k0smotron-haproxy', namespace: 'default' },
          spec: { template: { spec: { containers: [{ name: 'haproxy', image: 'haproxy:2.8' }] } } },
        }),
      },
    })],
    ...ingress?.deploy ? [owned(cluster, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: `kmc-${name}`, annotations: ingress.annotations },
      spec: {
        ingressClassName: ingress.className,
        rules: [[ingress.apiHost, apiPort], [ingress.konnectivityHost, konnectivityPort]].map(([host, port]) => ({ host, http: backend(`kmc-${name}${suffix}`, port) })),
      },
    })] : [],
  ];
}

/** The Cluster of k0smotron for a control plane of Cluster API: it has the name of Cluster API's, which owns the control plane. */
function ofK0smotronControlPlane(controlPlane: any): any[] {
  const name = controlPlane.metadata.name.replace(/-cp$/, '');
  controlPlane.metadata.ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', name, uid: 'x' }];
  const cluster = owned(controlPlane, { apiVersion: 'k0smotron.io/v1beta2', kind: 'Cluster', metadata: { name }, spec: JSON.parse(JSON.stringify(controlPlane.spec)) });
  return [cluster, ...ofK0smotronCluster(cluster)];
}

/** Routes and Services of HyperShift. */
function ofHostedCluster({ metadata: { namespace, name }, spec: { services } }: any): any[] {
  const targets: { [service: string]: [string, number] } = {
    APIServer: ['kube-apiserver', 6443], Konnectivity: ['konnectivity-server', 8091], OAuthServer: ['oauth-openshift', 6443], Ignition: ['ignition-server-proxy', 443],
  };
  return services.flatMap(({ service, servicePublishingStrategy: { type, route, nodePort } }: any) => {
    const [target, port] = targets[service];
    const metadata = { name: target, namespace: `${namespace}-${name}` };
    return [
      served({ apiVersion: 'v1', kind: 'Service', metadata: { ...metadata, ownerReferences: [{ kind: 'HostedControlPlane', name }] }, spec: { type, ports: [{ port, nodePort: nodePort?.port }] } }),
      ...type === 'Route' ? [served({
        apiVersion: 'route.openshift.io/v1',
        kind: 'Route',
        metadata: { ...metadata, labels: { 'hypershift.openshift.io/hosted-control-plane': metadata.namespace } },
        spec: { host: route.hostname, to: { kind: 'Service', name: target }, tls: { termination: 'passthrough', insecureEdgeTerminationPolicy: 'None' } },
      })] : [],
    ];
  });
}

const OPERATORS: { [kind: string]: (object: any) => any[] } = {
  'kamaji.clastix.io TenantControlPlane': ofTenantControlPlane,
  'steward.butlerlabs.dev TenantControlPlane': ofTenantControlPlane,
  'controlplane.cluster.x-k8s.io KamajiControlPlane': ofKamajiControlPlane,
  'k0smotron.io Cluster': ofK0smotronCluster,
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': ofK0smotronControlPlane,
  'hypershift.openshift.io HostedCluster': ofHostedCluster,
};

/** The objects of a running cluster in which the operators have done their work. */
function live(objects: any[]): any[] {
  return objects.map(served).flatMap(object => [object, ...OPERATORS[`${object.apiVersion.split('/')[0]} ${object.kind}`]?.(object) ?? []]);
}

describe('the doctor has nothing to say of a running cluster', () => {
  test.each(Object.keys(SYNTHESIZED).filter(name => !name.startsWith('k0rdent')))('%s', name => {
    const desired = JSON.parse(JSON.stringify(SYNTHESIZED[name]()));
    const running = live(desired);
    expect(running.length).toBeGreaterThan(desired.length);
    const { findings, controlPlanes } = checkFiles({ 'list.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: running }) });
    expect(findings.map(({ code, object, message }) => `${code} ${object?.kind} ${object?.name}: ${message}`)).toEqual([]);
    expect(controlPlanes).toBe(checkFiles({ 'desired.yaml': desired.map((object: any) => JSON.stringify(object)).join('\n---\n') }).controlPlanes);
    expect(controlPlanes).toBeGreaterThan(1);
  });
});
