import { Chart, Testing } from 'cdk8s';
import { ExternalTrafficPolicy, Exposure, ImagePullPolicy, IngressExposedControlPlane, LogLevel, SharedIngressGateway, SharedIngressGatewayProps } from '../../src';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';
import { PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

const ID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';

function setUp(props: Partial<SharedIngressGatewayProps> = {}) {
  const chart = new Chart(Testing.app(), 'management');
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', ...props });
  const synth = () => {
    const manifests: any[] = Testing.synth(chart);
    return {
      manifests,
      one: (kind: string, name = 'edge') => manifests.find(manifest => manifest.kind === kind && manifest.metadata.name === name),
      /** The lines of a table in all ConfigMaps. */
      table: (table: string): string[] => manifests
        .flatMap(({ kind, data }) => kind === 'ConfigMap' && data[`${table}.map`] ? data[`${table}.map`].trim().split('\n') : []),
    };
  };
  return { chart, gateway, synth };
}

function exposure(name: string, clusterId?: string, more: object = {}): Exposure {
  return new Exposure({ name, namespace: 'tenants', hostname: `${name}.k8s.example.com`, clusterId, ...more });
}

describe('the default gateway', () => {
  const { one, manifests } = setUp().synth();
  const pod = one('Deployment').spec.template.spec;

  test('consists of valid objects', () => {
    manifests.forEach(expectValid);
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'ConfigMap shared-ingress/edge-haproxy',
      ...Array.from({ length: 8 }, (_, i) => `ConfigMap shared-ingress/edge-routes-${i}-of-8`),
      'Deployment shared-ingress/edge',
      'ServiceAccount shared-ingress/edge',
      'Role shared-ingress/edge',
      'RoleBinding shared-ingress/edge',
      'PodDisruptionBudget shared-ingress/edge',
      'Service shared-ingress/edge',
      'Service shared-ingress/edge-metrics',
      'NetworkPolicy shared-ingress/edge',
    ]);
  });

  test('has one address for SNI and cluster IDs, in both families, and keeps client addresses', () => {
    expect(one('Service').spec).toMatchObject({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ipFamilyPolicy: 'PreferDualStack' });
    expect(one('Service').spec.ports.map(({ name, port, targetPort }: any) => [name, port, targetPort])).toEqual([['sni', 443, 'sni'], ['cluster-id', 6443, 'cluster-id']]);
  });

  test('survives the loss of a node or zone and rolls one pod at a time', () => {
    expect(one('Deployment').spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    expect(pod.topologySpreadConstraints.map((constraint: any) => [constraint.topologyKey, constraint.whenUnsatisfiable])).toEqual([
      ['topology.kubernetes.io/zone', 'ScheduleAnyway'], ['kubernetes.io/hostname', 'ScheduleAnyway'],
    ]);
    expect(one('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
    expect(pod.priorityClassName).toBe('system-cluster-critical');
    expect(pod.terminationGracePeriodSeconds).toBe(15 + 300 + 10);
  });

  test('has no rights on its node', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers[0].securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(pod.containers[0].resources).toEqual({ requests: { cpu: '200m', memory: '256Mi' }, limits: { memory: '4Gi' } });
  });

  test('is probed on a port of its own and by HTTP, so that no probe is a connection to a tenant', () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      expect(pod.containers[0][probe].httpGet.port).toBe('health');
    }
    expect(one('Service', 'edge-metrics').metadata.annotations).toMatchObject({ 'prometheus.io/port': '8404' });
  });

  test('may list and watch the ConfigMaps with its routes by the API, and nothing else', () => {
    const configMaps = Array.from({ length: 8 }, (_, shard) => `edge-routes-${shard}-of-8`);
    expect(pod).toMatchObject({ automountServiceAccountToken: true, serviceAccountName: 'edge' });
    expect(pod.containers[0].args.filter((arg: string) => /route-config-map/.test(arg))).toEqual(configMaps.map(name => `--route-config-map=${name}`));
    expect(one('Role').rules).toEqual([{ apiGroups: [''], resources: ['configmaps'], resourceNames: configMaps, verbs: ['list', 'watch'] }]);
    expect(one('RoleBinding').subjects).toEqual([{ kind: 'ServiceAccount', name: 'edge', namespace: 'shared-ingress' }]);
  });

  test('may reach pods of every namespace, DNS and the API, and nothing else', () => {
    expect(one('NetworkPolicy').spec.egress).toHaveLength(3);
    expect(one('NetworkPolicy').spec.egress[2]).toEqual({ ports: [{ port: 443, protocol: 'TCP' }, { port: 6443, protocol: 'TCP' }] });
    expect(one('NetworkPolicy').spec.egress[0]).toEqual({ to: [{ namespaceSelector: { matchLabels: {} } }] });
    expect(one('NetworkPolicy').spec.egress[1].ports.map(({ port }: any) => port)).toEqual([53, 53, 5353, 5353]);
    expect(one('NetworkPolicy').spec.ingress[0].ports.map(({ port }: any) => port)).toEqual([8443, 6443, 8404]);
  });

  test('mounts every ConfigMap of routes into one folder', () => {
    const { sources } = pod.volumes.find(({ name }: any) => name === 'routes').projected;
    expect(sources.flatMap(({ configMap }: any) => configMap.items.map(({ path }: any) => path))).toHaveLength(32);
    expect(new Set(sources.flatMap(({ configMap }: any) => configMap.items.map(({ path }: any) => path))).size).toBe(32);
  });
});

describe('properties', () => {
  test('reach the objects', () => {
    const { one, manifests } = setUp({
      replicas: 3,
      sniPort: 8443,
      clusterIdPort: 7443,
      ipv6: false,
      loadBalancerClass: 'cloud',
      serviceAnnotations: { a: 'b' },
      image: 'registry/tcp-proxy:1',
      imagePullPolicy: ImagePullPolicy.ALWAYS,
      imagePullSecrets: ['pull'],
      tolerations: [{ operator: 'Exists' }],
      nodeSelector: { pool: 'edge' },
      priorityClassName: 'high',
      podAnnotations: { c: 'd' },
      podLabels: { e: 'f' },
      labels: { g: 'h' },
      annotations: { i: 'j' },
      closeRemovedTenants: true,
      nameservers: ['10.96.0.10'],
      tenantNamespaceLabels: { tenant: 'yes' },
      networkPolicy: true,
      logLevel: LogLevel.DEBUG,
    }).synth();
    manifests.forEach(expectValid);
    expect(one('Service').spec).toMatchObject({ loadBalancerClass: 'cloud', ipFamilyPolicy: 'SingleStack', ports: [{ port: 8443 }, { port: 7443 }] });
    expect(one('Service').metadata).toMatchObject({ annotations: { a: 'b' }, labels: { g: 'h' } });
    const { metadata, spec: { replicas, template } } = one('Deployment');
    expect([replicas, metadata.annotations, template.metadata.annotations, template.metadata.labels.e]).toEqual([3, { i: 'j' }, { c: 'd' }, 'f']);
    expect(template.spec).toMatchObject({
      nodeSelector: { pool: 'edge' },
      priorityClassName: 'high',
      tolerations: [{ operator: 'Exists' }],
      imagePullSecrets: [{ name: 'pull' }],
      containers: [{ image: 'registry/tcp-proxy:1', imagePullPolicy: 'Always' }],
    });
    expect(template.spec.containers[0].args).toEqual(expect.arrayContaining(['--nameserver=10.96.0.10', '--close-removed', '--log-level=debug']));
    expect(one('NetworkPolicy').spec.egress[0].to[0].namespaceSelector.matchLabels).toEqual({ tenant: 'yes' });
  });

  test('clusterIdRouting: false leaves the port out everywhere', () => {
    const { one } = setUp({ clusterIdRouting: false }).synth();
    expect(one('Service').spec.ports).toHaveLength(1);
    expect(one('NetworkPolicy').spec.ingress[0].ports).toHaveLength(2);
    expect(one('ConfigMap', 'edge-haproxy').data['haproxy.cfg']).not.toContain('accept-proxy');
  });

  test.each<[Partial<SharedIngressGatewayProps>, string]>([
    [{ tlvType: 0xf0 }, 'tlvType: 240 is not in the range'],
    [{ tlvType: 0x20 }, 'tlvType: 32 is 0x20'],
    [{ tlvType: 0xe1, clusterIdPort: 443 }, 'clusterIdPort: 443 is also the sniPort'],
    [{ proxyCidrs: ['10.0.0.0/99'] }, 'proxyCidrs[0]: "10.0.0.0/99" is not a network'],
    [{ proxyCidrs: [] }, 'proxyCidrs: [] is empty'],
    [{ loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'] } }, 'would put a second PROXY header in front'],
    [{ loadBalancerProxyProtocol: { trustedCidrs: ['999.1.1.1/24'] }, clusterIdRouting: false }, 'loadBalancerProxyProtocol.trustedCidrs[0]: "999.1.1.1/24" is not'],
    [{ nameservers: ['kube-dns'] }, 'nameservers[0]: "kube-dns" is not an IP address'],
    [{ routeShards: 0 }, 'routeShards: 0 is not a number of ConfigMaps. Give a whole number from 1 to 100.'],
    [{ tunnelTimeoutSeconds: 60 }, 'tunnelTimeoutSeconds: 60 is not a number of seconds. Give a whole number from 3600 to 2147483.'],
    [{ host: 'edge.example.com:6443' }, 'host: "edge.example.com:6443" carries a port'],
  ])('%j is an error', (props, message) => {
    expect(() => setUp(props)).toThrow(message);
  });

  test('a TLV of 0x20 is HyperShift compatibility, and its default', () => {
    expect(setUp({ hypershiftCompatibility: true }).gateway.tlvType).toBe(0x20);
    expect(setUp({ hypershiftCompatibility: true, tlvType: 0xe5 }).gateway.tlvType).toBe(0xe5);
    expect(setUp().gateway.tlvType).toBe(0xe1);
  });
});

describeWithHaproxy('HAProxy accepts the configuration', () => {
  test.each<[string, Partial<SharedIngressGatewayProps>]>([
    ['by default', {}],
    ['for HyperShift', { hypershiftCompatibility: true }],
    ['of SNI alone behind a load balancer with PROXY headers', { clusterIdRouting: false, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8', 'fd00::/8'] } }],
    ['with everything', {
      loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'], sniPortOnly: true }, proxyCidrs: ['192.0.2.0/24'], nameservers: ['10.96.0.10', 'fd00:10:96::a'], ipv6: false,
    }],
  ])('%s', async (_, props) => {
    expect(await checkConfig(setUp(props).gateway.haproxyConfig)).toBe('');
  });
});

describe('tenants', () => {
  test('are entries of maps, and nothing else of the gateway knows them', () => {
    const empty = setUp();
    const full = setUp();
    full.gateway.register(exposure('tenant-01', ID, { konnectivity: { hostname: 'tenant-01.konnectivity.example.com' } }), { allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] });
    const { table, manifests } = full.synth();
    expect(table('hosts')).toEqual([
      'tenant-01.k8s.example.com tenant-01.tenants.svc.cluster.local:6443:tenants/tenant-01',
      'tenant-01.konnectivity.example.com tenant-01.tenants.svc.cluster.local:8132:tenants/tenant-01',
    ]);
    expect(table('cluster-ids')).toEqual([`${ID} tenant-01.tenants.svc.cluster.local:6443:tenants/tenant-01`]);
    expect(table('allowed')).toEqual(['192.0.2.0/24@tenants/tenant-01 1', '2001:db8::/32@tenants/tenant-01 1']);
    const without = (all: any[]) => all.filter(({ metadata }) => !metadata.name.includes('-routes-'));
    expect(without(manifests)).toEqual(without(empty.synth().manifests));
  });

  test('come by the controller, without an object of their own', () => {
    const { chart, gateway, synth } = setUp({ clusterDomain: 'mgmt.local' });
    const controlPlane = new IngressExposedControlPlane(chart, 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.31.0',
      platform: new PlainPlatform(),
      controller: gateway.asController(),
      domain: 'example.com',
      clusterId: ID,
      allowedCidrs: ['10.1.0.0/16'],
    });
    expect(controlPlane.routeObjects).toEqual([]);
    expect(synth().table('cluster-ids')).toEqual([`${ID} tenant-01.tenants.svc.mgmt.local:6443:tenants/tenant-01`]);
    expect(synth().table('allowed')).toEqual(['10.1.0.0/16@tenants/tenant-01 1']);
  });

  test('are written the same in any order, and each in one ConfigMap that does not depend on the others', () => {
    const names = Array.from({ length: 50 }, (_, i) => `tenant-${i}`);
    const maps = (order: string[]) => {
      const { gateway, synth } = setUp();
      order.forEach(name => gateway.register(exposure(name, `id-${name}`)));
      return synth().manifests.filter(({ metadata }) => metadata.name.includes('-routes-'));
    };
    const all = maps(names);
    expect(maps([...names].reverse())).toEqual(all);
    const changed = maps(names.slice(1)).filter((map, i) => JSON.stringify(map) !== JSON.stringify(all[i]));
    expect(changed).toHaveLength(1);
    expect(all.filter(({ data }) => data['hosts.map'] !== '').length).toBeGreaterThan(4);
  });

  test('that do not fit into a ConfigMap are an error that says how many are needed', () => {
    const { gateway, synth } = setUp({ routeShards: 1 });
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`;
    for (let i = 0; i < 5000; i++) {
      gateway.register(new Exposure({ name: `tenant-${i}`, namespace: 'tenants', hostname: `tenant-${i}.${domain}`, clusterId: `id-${i}` }));
    }
    expect(synth).toThrow(/routeShards: 1 makes a ConfigMap of 1\d{6} bytes, and Kubernetes allows 1 MiB. Give at least [23];/);
  });

  test('on another public port than the gateway\'s are an error', () => {
    const { chart, gateway } = setUp();
    expect(() => new IngressExposedControlPlane(chart, 'tenant-01', {
      namespace: 'tenants', kubernetesVersion: '1.31.0', platform: new PlainPlatform(), controller: gateway.asController(), domain: 'example.com', port: 6443,
    })).toThrow('port of kube-apiserver: 6443 is not served by shared-gateway');
  });

  test.each(['', ' ', 'a b', 'a\nb', '#a', 'ü', 'a'.repeat(129)])('with the cluster ID %j are an error', clusterId => {
    expect(() => setUp().gateway.register(exposure('tenant-01', clusterId))).toThrow(/^clusterId: /);
  });

  test.each(['10.0.0.0/99', '999.1.1.1/24', '10.0.0.1/8', '10.0.0.0', '::ffff:10.0.0.0/104', '2002::/20'])('with the source network %s are an error', cidr => {
    expect(() => setUp().gateway.register(exposure('tenant-01'), { allowedCidrs: ['10.0.0.0/8', cidr] })).toThrow(/allowedCidrs\[1\]: /);
  });

  test('with an empty list of sources are an error', () => {
    expect(() => setUp().gateway.register(exposure('tenant-01'), { allowedCidrs: [] })).toThrow('allowedCidrs: [] is empty');
  });

  test('with source networks behind a Service that hides sources are an error', () => {
    const { gateway, synth } = setUp({ externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER });
    gateway.register(exposure('tenant-01'));
    expect(synth).not.toThrow();
    gateway.register(exposure('tenant-02'), { allowedCidrs: ['10.0.0.0/8'] });
    expect(synth).toThrow(/allowedCidrs: \["10.0.0.0\/8"\] of tenants\/tenant-02 cannot be enforced/);
  });

  test('that share a name, a host or a cluster ID are errors, all at once', () => {
    const { gateway, synth } = setUp();
    gateway.register(exposure('tenant-01', ID));
    gateway.register(new Exposure({ name: 'tenant-02', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com', clusterId: ID }));
    gateway.register(exposure('tenant-01'));
    expect(synth).toThrow(/cluster ID: "5f8a.*tenants\/tenant-01 and tenants\/tenant-02[^]*name: "tenants\/tenant-01"/);
    expect(synth).toThrow(/SNI host: "tenant-01.k8s.example.com" is registered at management\/edge by both tenants\/tenant-01 and tenants\/tenant-02/);
  });

  test('of the controller that share a cluster ID are one error', () => {
    const { chart, gateway, synth } = setUp();
    for (const name of ['tenant-01', 'tenant-02']) {
      new IngressExposedControlPlane(chart, name, {
        namespace: 'tenants', kubernetesVersion: '1.31.0', platform: new PlainPlatform(), controller: gateway.asController(), domain: 'example.com', clusterId: ID,
      });
    }
    expect(synth).toThrow(/^Validation failed with the following errors:\n[^\n]*cluster ID: "5f8a[^\n]*$/);
  });
});

test('two gateways of one name in one cluster are an error', () => {
  const { chart, synth } = setUp();
  new SharedIngressGateway(chart, 'other', { namespace: 'shared-ingress', name: 'edge' });
  expect(synth).toThrow('Deployment in cluster "management": "shared-ingress/edge" is used by both management/edge and management/other');
});

describe('routes by the API', () => {
  test('can be left to the kubelet: then the pod has no token and no way to the API', () => {
    const { one, manifests } = setUp({ followRoutes: false }).synth();
    const pod = one('Deployment').spec.template.spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.containers[0].args.join(' ')).not.toMatch(/route-config-map/);
    expect(manifests.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['Role']));
    expect(one('NetworkPolicy').spec.egress).toHaveLength(2);
  });

  test('leave the pods to networks of the API server alone, where they are given', () => {
    expect(setUp({ apiServerCidrs: ['192.0.2.0/28', '2001:db8::/64'] }).synth().one('NetworkPolicy').spec.egress[2].to)
      .toEqual([{ ipBlock: { cidr: '192.0.2.0/28' } }, { ipBlock: { cidr: '2001:db8::/64' } }]);
    expect(() => setUp({ apiServerCidrs: ['192.0.2.1/28'] })).toThrow('apiServerCidrs[0]: "192.0.2.1/28" has host bits set');
  });
});
