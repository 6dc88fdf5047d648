import { App, Chart, Testing } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import {
  ControlPlanePlatform, Exposure, ImagePullPolicy, IngressController, IngressExposedControlPlane, LogLevel, TcpProxyAddon, TcpProxyAddonProps,
  TcpProxyCertificate, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream, TenantCharts, TenantDelivery, Warnings,
} from '../../src';
import { endpointsRules } from '../../src/agent/contract/rbac';
import { expectValid } from '../support/schemas';

const DUAL_STACK = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] };
const IPV6 = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };
const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });

function addon(props: Partial<TcpProxyAddonProps> = {}) {
  const chart = new Chart(Testing.app(), 'tenant-01');
  const construct = new TcpProxyAddon(chart, 'tcp-proxy', { exposure, ...props });
  const manifests: any[] = Testing.synth(chart);
  const all = (kind: string) => manifests.filter(manifest => manifest.kind === kind);
  const one = (kind: string) => {
    expect(all(kind)).toHaveLength(1);
    return all(kind)[0];
  };
  return { construct, manifests, all, one };
}

function podOf(workload: any) {
  return workload.spec.template.spec;
}

describe('the default tcp-proxy', () => {
  const { construct, manifests, all, one } = addon();
  const pod = podOf(one('Deployment'));
  const container = pod.containers[0];

  test('consists of valid objects in the namespaces kube-system and default', () => {
    manifests.forEach(expectValid);
    expect(manifests.map(manifest => `${manifest.kind} ${manifest.metadata.namespace}/${manifest.metadata.name}`).sort()).toEqual([
      'ConfigMap kube-system/tcp-proxy-haproxy',
      'Deployment kube-system/tcp-proxy',
      'PodDisruptionBudget kube-system/tcp-proxy',
      'Role default/tcp-proxy-endpoints',
      'Role kube-system/tcp-proxy-pods',
      'RoleBinding default/tcp-proxy-endpoints',
      'RoleBinding kube-system/tcp-proxy-pods',
      'Service kube-system/tcp-proxy',
      'ServiceAccount kube-system/tcp-proxy',
    ]);
  });

  test('runs two replicas on different nodes and never surges, as its host port is taken until the old pod is gone', () => {
    const { spec } = one('Deployment');
    expect(spec.replicas).toBe(2);
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    expect(pod.topologySpreadConstraints[0]).toMatchObject({ topologyKey: 'kubernetes.io/hostname', maxSkew: 1 });
    expect(one('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
  });

  test('starts before CNI, cluster DNS and scheduler priorities of others stand in its way', () => {
    expect(pod).toMatchObject({ hostNetwork: true, dnsPolicy: 'Default', priorityClassName: 'system-cluster-critical' });
  });

  test.each([
    ['node.kubernetes.io/not-ready', 'NoSchedule'],
    ['node.kubernetes.io/not-ready', 'NoExecute'],
    ['node.kubernetes.io/unreachable', 'NoExecute'],
    ['node.kubernetes.io/network-unavailable', 'NoSchedule'],
    ['node.cloudprovider.kubernetes.io/uninitialized', 'NoSchedule'],
    ['node.cilium.io/agent-not-ready', 'NoSchedule'],
    ['node-role.kubernetes.io/control-plane', 'NoSchedule'],
    ['example.com/custom', 'NoExecute'],
  ])('tolerates the taint %s:%s', (key, effect) => {
    const tolerated = pod.tolerations.some((toleration: any) =>
      (toleration.effect === undefined || toleration.effect === effect) &&
      (toleration.key === undefined ? toleration.operator === 'Exists' : toleration.key === key));
    expect(tolerated).toBe(true);
  });

  test('meets the restricted profile but for the host network', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] },
    });
    expect(pod.initContainers).toBeUndefined();
  });

  test('has a memory limit but no CPU limit', () => {
    expect(container.resources).toEqual({ requests: { cpu: '100m', memory: '48Mi' }, limits: { memory: '512Mi' } });
  });

  test('is probed over HTTP on a port of its own, never on the port that carries TLS', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' });
    expect(container.startupProbe).toBeUndefined();
    expect(container.ports).toEqual([
      { name: 'api', containerPort: 6443, hostPort: 6443, protocol: 'TCP' },
      { name: 'health', containerPort: 8404, hostPort: 8404, protocol: 'TCP' },
    ]);
  });

  test('reaches the API server by its public host, never by the Service it stands in for', () => {
    expect(container.args).toContain('--api-server=https://tenant-01.k8s.example.com:443');
    expect(JSON.stringify(manifests)).not.toMatch(/https:\/\/kubernetes/);
  });

  test('mounts its own certificate, not the key of the API server, unreadable to others', () => {
    const secrets = pod.volumes.filter((volume: any) => volume.secret);
    expect(secrets).toEqual([{ name: 'tls', secret: { secretName: 'tcp-proxy-tls', defaultMode: 0o440 } }]);
    expect(pod.securityContext.fsGroup).toBe(65532);
  });

  test('trusts the tenant CA', () => {
    expect(pod.volumes).toContainEqual({ name: 'ca', configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } });
    expect(JSON.stringify(manifests)).not.toMatch(/insecure|verify none/);
  });

  test('may change only the endpoints of the Service kubernetes', () => {
    const writes = all('Role').flatMap(role => role.rules.map((rule: any) => ({ namespace: role.metadata.namespace, ...rule })))
      .filter(rule => rule.verbs.some((verb: string) => ['create', 'update', 'patch', 'delete', '*'].includes(verb)));
    expect(writes).toEqual([
      { namespace: 'default', apiGroups: [''], resources: ['endpoints'], resourceNames: ['kubernetes'], verbs: ['list', 'watch', 'update'] },
      { namespace: 'default', apiGroups: [''], resources: ['endpoints'], verbs: ['create'] },
      {
        namespace: 'default',
        apiGroups: ['discovery.k8s.io'],
        resources: ['endpointslices'],
        resourceNames: ['kubernetes', 'kubernetes-v4', 'kubernetes-v6'],
        verbs: ['get', 'update'],
      },
      { namespace: 'default', apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch', 'create', 'delete'] },
    ]);
    expect(all('ClusterRole')).toEqual([]);
    expect(all('RoleBinding').map(binding => binding.subjects)).toEqual(Array(2).fill(
      [{ kind: 'ServiceAccount', name: 'tcp-proxy', namespace: 'kube-system' }]));
  });

  test('may do exactly what the agent asks for', () => {
    const granted = all('Role').map(role => ({ namespace: role.metadata.namespace, rules: role.rules }));
    expect(granted).toEqual(Object.values(endpointsRules('kube-system')));
  });

  test('puts the configuration into the ConfigMap as it is in the property', () => {
    expect(one('ConfigMap').data).toEqual({ 'haproxy.cfg': construct.haproxyConfig });
  });

  test('waits long enough after SIGTERM to withdraw its address and drain', () => {
    expect(pod.terminationGracePeriodSeconds).toBe(5 + 60 + 10);
  });

  test('has an image with a fixed tag', () => {
    expect(container.image).toMatch(/:\d+\.\d+\.\d+$/);
    expect(Warnings.of(construct).filter(text => text.startsWith('image'))).toEqual([]);
  });

  test('publishes pods that are not ready in every Service that selects it', () => {
    expect(all('Service').map(service => service.spec.publishNotReadyAddresses)).toEqual([true]);
  });

  test('gives the CNI the public endpoint', () => {
    expect(construct.cniValues).toEqual({ k8sServiceHost: 'tenant-01.k8s.example.com', k8sServicePort: '443' });
  });
});

describe('the pod template', () => {
  test('rolls when the configuration changes', () => {
    const checksum = (props: Partial<TcpProxyAddonProps>) =>
      addon(props).one('Deployment').spec.template.metadata.annotations['checksum/haproxy-config'];
    expect(checksum({ maxConnections: 100 })).not.toEqual(checksum({}));
    expect(checksum({})).toEqual(checksum({}));
  });

  test('takes every scheduling and image property', () => {
    const { one } = addon({
      image: 'registry.example.com/tcp-proxy:1.2.3',
      imagePullPolicy: ImagePullPolicy.ALWAYS,
      imagePullSecrets: ['pull'],
      resources: { limits: { memory: k8s.Quantity.fromString('128Mi') } },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      nodeSelector: { zone: 'a' },
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      hostAliases: [{ ip: '192.0.2.10', hostnames: ['tenant-01.k8s.example.com'] }],
      priorityClassName: 'mine',
      podAnnotations: { note: 'x' },
      podLabels: { team: 'y' },
      labels: { owner: 'z' },
      annotations: { restart: 'yes' },
      listenPort: 7443,
      healthPort: 7444,
      certificate: TcpProxyCertificate.existingSecret('mine-tls'),
      logLevel: LogLevel.DEBUG,
      propagationDelaySeconds: 0,
      gracePeriodSeconds: 30,
    });
    const deployment = one('Deployment');
    const pod = podOf(deployment);
    expect(deployment.metadata).toMatchObject({ annotations: { restart: 'yes' }, labels: { owner: 'z' } });
    expect(deployment.spec.template.metadata).toMatchObject({ annotations: { note: 'x' }, labels: { team: 'y' } });
    expect(pod).toMatchObject({
      imagePullSecrets: [{ name: 'pull' }],
      tolerations: [{ key: 'a', operator: 'Exists' }],
      nodeSelector: { zone: 'a' },
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      hostAliases: [{ ip: '192.0.2.10', hostnames: ['tenant-01.k8s.example.com'] }],
      priorityClassName: 'mine',
      terminationGracePeriodSeconds: 40,
    });
    expect(pod.containers[0]).toMatchObject({
      image: 'registry.example.com/tcp-proxy:1.2.3',
      imagePullPolicy: 'Always',
      resources: { limits: { memory: '128Mi' } },
      ports: [{ containerPort: 7443 }, { containerPort: 7444 }],
    });
    expect(pod.containers[0].args).toEqual(expect.arrayContaining(
      ['--endpoint-port=7443', '--health-address=0.0.0.0:7444', '--log-level=debug', '--propagation-delay=0s', '--grace-period=30s']));
    expect(pod.volumes).toContainEqual({ name: 'tls', secret: { secretName: 'mine-tls', defaultMode: 0o440 } });
  });

  test('listens on both families in a dual-stack cluster', () => {
    const dual = new Exposure({
      name: 't', namespace: 'n', hostname: 't.k8s.example.com', network: DUAL_STACK,
    });
    const { construct, one } = addon({ exposure: dual });
    expect(construct.haproxyConfig).toContain('bind [::]:6443 v4v6 ');
    expect(podOf(one('Deployment')).containers[0].args).toContain('--health-address=[::]:8404');
  });

  test('listens on IPv6 alone in an IPv6 cluster', () => {
    const v6 = new Exposure({ name: 't', namespace: 'n', hostname: 't.k8s.example.com', network: IPV6 });
    expect(addon({ exposure: v6 }).construct.haproxyConfig).toContain('bind [::]:6443 v6only ');
  });

  test('says what is wrong with an image that has no fixed tag', () => {
    for (const image of ['registry.example.com:5000/tcp-proxy', 'tcp-proxy:latest']) {
      expect(Warnings.of(addon({ image }).construct).filter(text => text.startsWith('image'))).toEqual([
        `image: "${image}" has no fixed tag, so nodes may run different versions. Give a version tag or a digest.`,
      ]);
    }
    expect(Warnings.of(addon({ image: `a/b@sha256:${'0'.repeat(64)}` }).construct).filter(text => text.startsWith('image'))).toEqual([]);
  });
});

describe('upstreams', () => {
  test('direct: passes the bytes, so it has no certificate', () => {
    const { construct, one } = addon({ upstream: TcpProxyUpstream.direct({ host: '10.40.0.201', port: 31443 }) });
    expect(construct.haproxyConfig).toContain('server upstream 10.40.0.201:31443 ');
    expect(construct.haproxyConfig).not.toMatch(/bind .* ssl/);
    expect(podOf(one('Deployment')).volumes.some((volume: any) => volume.secret)).toBe(false);
    expect(podOf(one('Deployment')).containers[0].args.join(' ')).not.toContain('--tls-dir');
  });

  test('direct: verifies the health check by a name that every API server certificate carries', () => {
    const { construct } = addon({ upstream: TcpProxyUpstream.direct({ host: '10.40.0.201' }) });
    expect(construct.haproxyConfig).toMatch(/check-sni kubernetes .*verify required verifyhost kubernetes/);
  });

  test('sni: asks DNS at run time, but not for a name that only /etc/hosts knows', () => {
    expect(addon().construct.haproxyConfig).toContain('resolvers node');
    const aliased = addon({ hostAliases: [{ ip: '192.0.2.10', hostnames: ['tenant-01.k8s.example.com'] }] });
    expect(aliased.construct.haproxyConfig).not.toContain('resolvers node');
  });
});

describe('placements', () => {
  test('every node: a node-critical DaemonSet without a disruption budget', () => {
    const { one, all, manifests } = addon({ placement: TcpProxyPlacement.everyNode() });
    manifests.forEach(expectValid);
    const { spec } = one('DaemonSet');
    expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    expect(spec.template.spec.priorityClassName).toBe('system-node-critical');
    expect(all('PodDisruptionBudget')).toEqual([]);
  });

  test('static pod: needs no object of the cluster, and its files are complete', () => {
    const { construct, manifests, all } = addon({
      placement: TcpProxyPlacement.staticPod(),
      endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }),
    });
    manifests.forEach(expectValid);
    expect(construct.nodeFiles.map(file => [file.path, file.mode])).toEqual([
      ['/etc/kubernetes/tcp-proxy/haproxy.cfg', '0644'],
      ['/etc/kubernetes/manifests/tcp-proxy.yaml', '0600'],
    ]);
    const pod = construct.nodeFiles[1].content;
    expect(pod).not.toMatch(/configMap|secretName|serviceAccountName|configMapKeyRef/);
    expect(pod).toContain('path: /etc/kubernetes/pki/ca.crt');
    expect(construct.workload).toBeUndefined();
    expect(all('ConfigMap')[0].data).toEqual({
      'haproxy.cfg': construct.nodeFiles[0].content, 'tcp-proxy.yaml': construct.nodeFiles[1].content,
    });
    expect(all('ServiceAccount')).toEqual([]);
  });

  test('replicas: less than one is refused', () => {
    expect(() => TcpProxyPlacement.replicas({ replicas: 0 })).toThrow(
      'placement.replicas: 0 would leave pods without an API server. Give 1 or more; 2 survive the loss of a node.');
  });
});

describe('endpoints', () => {
  test('kubernetes Service: selects the proxies, ready or not, and the agent has no access to the API', () => {
    const { all, manifests, one } = addon({ namespace: 'default', endpoints: TcpProxyEndpoints.kubernetesService() });
    manifests.forEach(expectValid);
    expect(all('Service').find(service => service.metadata.name === 'kubernetes')).toMatchObject({
      metadata: { namespace: 'default' },
      spec: {
        publishNotReadyAddresses: true,
        selector: one('Deployment').spec.selector.matchLabels,
        ports: [{ name: 'https', port: 443, targetPort: 6443 }],
      },
    });
    expect(all('Service').every(service => service.spec.publishNotReadyAddresses)).toBe(true);
    expect(all('Role')).toEqual([]);
    expect(podOf(one('Deployment')).automountServiceAccountToken).toBe(false);
    expect(podOf(one('Deployment')).containers[0].args).toContain('--endpoints=none');
  });

  test('fixed address: listens on it alone and keeps it on a device of its own', () => {
    const { construct, one } = addon({
      exposure: new Exposure({ name: 't', namespace: 'n', hostname: 't.k8s.example.com', network: DUAL_STACK }),
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['fd00:20::1', '172.20.0.1'] }),
    });
    expect(construct.haproxyConfig).toContain('bind 172.20.0.1:6443 ');
    expect(construct.haproxyConfig).toContain('bind [fd00:20::1]:6443 ');
    expect(construct.haproxyConfig).not.toContain('0.0.0.0:6443');
    const [keeper] = podOf(one('DaemonSet')).initContainers;
    expect(keeper).toMatchObject({
      restartPolicy: 'Always',
      args: ['address', '--advertise-address=fd00:20::1', '--advertise-address=172.20.0.1', '--device=tcp-proxy0'],
      securityContext: { runAsUser: 0, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } },
    });
    expect(construct.cniValues).toEqual({ k8sServiceHost: '172.20.0.1', k8sServicePort: '6443' });
  });

  test('owned advertise address: the agent publishes it', () => {
    const { one, all } = addon({
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'], device: 'api0' }),
    });
    expect(podOf(one('DaemonSet')).containers[0].args).toContain('--advertise-address=100.64.30.10');
    expect(podOf(one('DaemonSet')).initContainers[0].args).toContain('--device=api0');
    expect(all('Role')).toHaveLength(2);
  });
});

describe('times', () => {
  test('of a reload and of a shutdown are independent of each other', () => {
    expect(addon({ gracePeriodSeconds: 1 }).construct.haproxyConfig).toContain('hard-stop-after 21600s\n');
    expect(addon({ reloadGraceSeconds: 7200 }).construct.haproxyConfig).toContain('hard-stop-after 7200s\n');
    expect(addon({ reloadGraceSeconds: 7200 }).one('Deployment').spec.template.spec.terminationGracePeriodSeconds).toBe(5 + 60 + 10);
    expect(() => addon({ reloadGraceSeconds: 0 })).toThrow('reloadGraceSeconds: 0 is not a number of seconds');
  });

  test('leave a client 5 seconds at most with an API server that does not answer', () => {
    const { haproxyConfig } = addon().construct;
    const tries = 1 + Number(/retries (\d+)/.exec(haproxyConfig)![1]);
    expect(tries * Number(/timeout connect (\d+)ms/.exec(haproxyConfig)![1])).toBe(5_000);
  });

  test('find a dead peer in less than two minutes on every side, with data under way or without', () => {
    const { haproxyConfig } = addon().construct;
    const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(haproxyConfig)![1]);
    for (const side of ['cli', 'srv']) {
      const silent = seconds(`${side}tcpka-idle`) + seconds(`${side}tcpka-cnt`) * seconds(`${side}tcpka-intvl`);
      expect(silent).toBeLessThan(120);
      // Less, and the kernel would take one lost probe for death.
      expect(seconds('tcp-ut')).toBe(silent);
    }
    const passing = haproxyConfig.split('\n').filter(line => /^ {2}(bind \S*:6443|server upstream) /.test(line) && !line.includes(' check '));
    expect(passing).toHaveLength(4);
    passing.forEach(line => expect(line).toContain(' tcp-ut '));
  });
});

describe('the connection limit', () => {
  const limit = (memory?: string) => Number(/fe_conn gt (\d+)/.exec(addon({
    resources: memory ? { limits: { memory: k8s.Quantity.fromString(memory) } } : {},
  }).construct.haproxyConfig)![1]);

  test('follows the memory limit', () => {
    // 64 MiB for the pod, and for each connection what one costs that is stalled in both ways and one that a reload left behind.
    expect(limit('512Mi')).toBe(Math.floor(448 * 1024 / (232 + 2 * (128 + 256 + 64 + 64) + 84)));
    expect(limit('256Mi')).toBe(Math.floor(192 * 1024 / (232 + 2 * (64 + 64 + 32 + 32) + 84)));
    expect(limit('128Mi')).toBe(93);
    expect(limit('0.5Gi')).toBe(limit('512Mi'));
    expect(limit()).toBe(8_000);
  });

  test('and the number of threads can be set', () => {
    expect(addon().construct.haproxyConfig).toContain('nbthread 1\n');
    expect(addon({ threads: 4 }).construct.haproxyConfig).toContain('nbthread 4\n');
  });

  test('is shared out: a quarter for a source unless more is given', () => {
    expect(addon({ maxConnections: 100 }).construct.haproxyConfig).toContain('reject if { sc0_conn_cur gt 25 }');
    const { haproxyConfig } = addon({ maxConnections: 100, shares: { perSource: 40, trustedSources: ['10.0.0.0/8'] } }).construct;
    expect(haproxyConfig).toContain('reject if { sc0_conn_cur gt 40 } !trusted');
    expect(haproxyConfig).toContain('reject if { sc0_conn_cur gt 80 }');
    expect(haproxyConfig).toContain('reject if { fe_conn gt 75 } !trusted');
    expect(() => addon({ maxConnections: 100, shares: { perSource: 101 } })).toThrow('shares.perSource: 101 is not');
  });

  test('goes with kernel buffers of a fixed size, which count into the memory limit and are smaller where it is', () => {
    const buffers = (memory: string) => [...addon({ resources: { limits: { memory: k8s.Quantity.fromString(memory) } } })
      .construct.haproxyConfig.matchAll(/tune\.(\w+buf\.\w+) (\d+)\n/g)].map(([, name, bytes]) => [name, Number(bytes) / 1024]);
    expect(buffers('512Mi')).toEqual([['sndbuf.client', 256], ['rcvbuf.client', 64], ['sndbuf.server', 64], ['rcvbuf.server', 128]]);
    expect(buffers('256Mi').map(([, size]) => size)).toEqual([64, 32, 32, 64]);
    expect(buffers('128Mi').map(([, size]) => size)).toEqual([64, 32, 32, 64]);
  });

  test('can be set', () => {
    expect(addon({ maxConnections: 123 }).construct.haproxyConfig).toContain('fe_conn gt 123 ');
  });

  test('refuses a memory limit that leaves no room', () => {
    expect(() => limit('32Mi')).toThrow('resources.limits.memory: "32Mi" leaves room for 0 connections. ' +
      'Give at least "99Mi", which is enough for 50.');
    expect(limit('99Mi')).toBe(51);
  });

  test('refuses what is not a quantity of memory', () => {
    expect(() => limit('64MB')).toThrow('resources.limits["memory"]: "64MB" is not an amount.');
  });
});

describe('the network policy', () => {
  test('is emitted on request and opens both ports', () => {
    expect(addon().all('NetworkPolicy')).toEqual([]);
    const { one } = addon({ networkPolicy: true });
    expectValid(one('NetworkPolicy'));
    expect(one('NetworkPolicy').spec.ingress[0].ports.map((port: any) => port.port)).toEqual([6443, 8404]);
    expect(one('NetworkPolicy').spec.egress[0].ports.map((port: any) => port.port)).toEqual([443, 53, 53]);
  });
});

describe('wrong input', () => {
  test.each<[string, Partial<TcpProxyAddonProps>, string]>([
    ['a port that is none', { listenPort: 0 }, 'listenPort: 0 is not a port. Give a whole number from 1 to 65535.'],
    ['a port that needs privileges', { listenPort: 443 },
      'listenPort: 443 is a privileged port, and the proxy runs without privileges. Give a port of 1024 or above.'],
    ['one port for two listeners', { listenPort: 8404 }, 'healthPort: 8404 is also the listenPort. Give the two different ports.'],
    ['neither control plane nor exposure', { exposure: undefined },
      'controlPlane, exposure: exactly one of the two must be given. Give controlPlane for a control plane of this app, exposure for any other.'],
    ['replicas with an address on every node', { endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) },
      'placement: "replicas" leaves nodes without a proxy, and each node has the advertise address for itself. ' +
      'Choose TcpProxyPlacement.everyNode() or staticPod(), or TcpProxyEndpoints.owned().'],
    ['a static pod that is to own endpoints', { placement: TcpProxyPlacement.staticPod() },
      'placement: "static pod" has no service account, so its agent cannot own default/kubernetes. ' +
      'Choose TcpProxyEndpoints.fixedAddress() or kubernetesService(), or TcpProxyPlacement.everyNode().'],
    ['the kubernetes Service from another namespace', { endpoints: TcpProxyEndpoints.kubernetesService() },
      'namespace: "kube-system" is not the namespace of the Service kubernetes, and a Service selects pods of its own namespace only. ' +
      'Set namespace: "default", or choose TcpProxyEndpoints.owned().'],
    ['a fixed address on a port that nobody publishes',
      { placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }), listenPort: 7443 },
      'listenPort: 7443 differs from 6443, the port that the API server publishes together with its advertise address. ' +
      'Set listenPort: 6443, or choose TcpProxyEndpoints.ownedAdvertiseAddress().'],
    ['a fixed address on a port that the proxy cannot have', {
      exposure: new Exposure({ name: 't', namespace: 'n', hostname: 't.k8s.example.com', backend: { serviceName: 't', apiPort: 443 } }),
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }),
    }, 'listenPort: 6443 differs from 443, the port that the API server publishes together with its advertise address. ' +
      'Choose TcpProxyEndpoints.ownedAdvertiseAddress().'],
    ['an advertise address of a family that no Service has',
      { placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['fd00:64::1'] }) },
      'endpoints.addresses: ["fd00:64::1"] has fd00:64::1, while the Services are 10.96.0.0/16 and so never lead to it. ' +
      'Give addresses of the families of network.serviceCidrs alone.'],
    ['an advertise address of the secondary family alone', {
      exposure: new Exposure({ name: 't', namespace: 'n', hostname: 't.k8s.example.com', network: DUAL_STACK }),
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['fd00:64::1'] }),
    }, 'endpoints.addresses: ["fd00:64::1"] lacks an address of the primary family, that of 10.96.0.0/16; ' +
      'the Service kubernetes has an address of it alone. Add one.'],
    ['an advertise address in the pod network',
      { placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['10.244.0.1'] }) },
      'endpoints.addresses[0]: "10.244.0.1" lies in the pod network 10.244.0.0/16. Give an address that is free in all networks of the cluster.'],
    ['a name that no Service can have', { name: '1proxy' },
      'name: "1proxy" is not a valid name. Use lower-case letters, digits and "-", starting with a letter and ending with a letter or digit.'],
    ['a certificate where TLS stays closed',
      { upstream: TcpProxyUpstream.direct({ host: '10.40.0.201' }), certificate: TcpProxyCertificate.existingSecret('tls') },
      'certificate: "existingSecret(\\"tls\\")" has no effect on an upstream whose TLS stays closed. Leave it out, or choose TcpProxyUpstream.sni().'],
    ['a certificate for a static pod', {
      placement: TcpProxyPlacement.staticPod(),
      endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }),
      certificate: TcpProxyCertificate.issuedBySync(),
    }, 'certificate: "issuedBySync()" cannot be used by a static pod, which may not refer to objects of the API. ' +
      'Give TcpProxyCertificate.onNodes() and put tls.crt and tls.key into /etc/kubernetes/tcp-proxy/tls of the nodes, or choose TcpProxyPlacement.everyNode().'],
    ['pull Secrets of a static pod', {
      placement: TcpProxyPlacement.staticPod(),
      endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }),
      imagePullSecrets: ['pull'],
    }, 'imagePullSecrets: ["pull"] cannot be used by a static pod, which may not refer to objects of the API. ' +
      'Leave it out and give the container runtime of the nodes the credentials.'],
    ['a host alias without a name', { hostAliases: [{ ip: '192.0.2.1', hostnames: [] }] },
      'hostAliases[0].hostnames: [] is empty.'],
    ['a host alias that is no name', { hostAliases: [{ ip: '192.0.2.1', hostnames: ['foo bar'] }] },
      'hostAliases[0].hostnames[0]: "foo bar" has the label "foo bar", which is not a DNS label. ' +
      'Use lower-case letters, digits and "-", starting and ending with a letter or digit.'],
    ['two advertise addresses of one family',
      { placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1', '172.20.0.2'] }) },
      'endpoints.addresses: ["172.20.0.1","172.20.0.2"] does not have one address for a family. Give one IPv4 address, one IPv6 address, or both.'],
    ['a host alias that is no address', { hostAliases: [{ ip: 'gateway', hostnames: ['a.b'] }] },
      'hostAliases[0].ip: "gateway" is not an IP address.'],
  ])('%s', (_, props, message) => {
    expect(() => addon(props)).toThrow(message);
  });

  test.each([
    ['10.96.12.3', 'lies in the service network 10.96.0.0/16; kube-proxy does not route endpoints that are Service addresses'],
    ['127.0.0.1', 'is a loopback address, which Kubernetes refuses as an endpoint'],
    ['::1', 'is a loopback address, which Kubernetes refuses as an endpoint'],
    ['169.254.1.1', 'is a link-local address, which Kubernetes refuses as an endpoint'],
    ['fe80::1', 'is a link-local address, which Kubernetes refuses as an endpoint'],
    ['0.0.0.0', 'is the unspecified address'],
    ['node-1', 'is not an IP address'],
  ])('the advertise address %s', (address, reason) => {
    expect(() => addon({
      placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: [address] }),
    })).toThrow(`endpoints.addresses[0]: ${JSON.stringify(address)} ${reason}. ` +
      'Give an address that every node can reach, e.g. one of the node network or a free private one such as "100.64.30.10".');
  });

  test.each<[string, Partial<TcpProxyAddonProps>, string]>([
    ['tenant-01.k8s.example.com', {}, 'is the shared address, which cannot route raw TCP of clients that send no server name'],
    ['127.0.0.1', {}, 'is the node of the proxy itself'],
    ['10.96.0.1', {}, 'lies in the tenant\'s own service network 10.96.0.0/16, which works only once the proxy does'],
    ['100.64.30.10',
      { placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }) },
      'is the advertise address, so the proxy would connect to itself'],
  ])('a direct upstream at %s', (host, props, reason) => {
    expect(() => addon({ ...props, upstream: TcpProxyUpstream.direct({ host, port: 443 }) })).toThrow(
      `upstream.host: "${host}" ${reason}. ` +
      'Give an address of the management cluster that the nodes reach, e.g. a node with a NodePort, or choose TcpProxyUpstream.sni().');
  });

  test.each(['lo', 'a-very-very-long-device', 'two words'])('the device %s', device => {
    expect(() => TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'], device })).toThrow(
      `endpoints.device: "${device}" cannot be the device of the address. Give a name of at most 15 letters and digits, e.g. "tcp-proxy0".`);
  });

  test('a static pod in a relative folder', () => {
    expect(() => TcpProxyPlacement.staticPod({ configFolder: 'etc/rel' })).toThrow(
      'placement.configFolder: "etc/rel" is not an absolute path. Start it with "/" and leave out a final one.');
  });

  test('a direct upstream with a port in its host', () => {
    expect(() => TcpProxyUpstream.direct({ host: 'node-1.example.com:6443' })).toThrow(
      'upstream.host: "node-1.example.com:6443" carries a port. ' +
      'Host and port are separate: give "node-1.example.com" here, and the port 6443 where a port is asked for.');
  });
});

describe('the charts of a tenant', () => {
  const controlPlane = (scope: Chart, name: string) => new IngressExposedControlPlane(scope, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    domain: 'example.com',
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.traefik(),
  });

  test.each<[string, (app: App) => void, string]>([
    ['the control plane and its proxy', app => {
      const chart = new Chart(app, 'one');
      new TcpProxyAddon(chart, 'proxy', { controlPlane: controlPlane(chart, 'a') });
    }, 'chart: "one" holds one/a for the cluster "management" and one/proxy for the cluster "tenants/a", but a chart is applied to one cluster. ' +
      'Put them into charts of their own; that of a tenant is tenants.of(controlPlane) of TenantCharts.'],
    ['the proxies of two tenants', app => {
      const management = new Chart(app, 'management');
      const tenant = new Chart(app, 'tenant');
      new TcpProxyAddon(tenant, 'a', { controlPlane: controlPlane(management, 'a') });
      new TcpProxyAddon(tenant, 'b', { controlPlane: controlPlane(management, 'b') });
    }, 'chart: "tenant" holds tenant/a for the cluster "tenants/a" and tenant/b for the cluster "tenants/b", ' +
      'but a chart is applied to one cluster. Put them into charts of their own; that of a tenant is tenants.of(controlPlane) of TenantCharts.'],
  ])('never hold %s together', (_, build, message) => {
    expect(() => build(new App())).toThrow(message);
  });

  test('give the API server its flag also when the proxy is given the exposure alone', () => {
    const app = new App();
    const management = new Chart(app, 'management');
    new TcpProxyAddon(new Chart(app, 'tenant'), 'proxy', { exposure: controlPlane(management, 'a').exposure });
    expect(JSON.stringify(Testing.synth(management))).toContain('--endpoint-reconciler-type=none');
  });

  test('have one proxy for each control plane, which is said before anything of the second that could be mended', () => {
    const management = new Chart(new App(), 'management');
    const plane = controlPlane(management, 'a');
    const tenant = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() }).of(plane);
    new TcpProxyAddon(tenant, 'one', { controlPlane: plane });
    expect(() => new TcpProxyAddon(tenant, 'two', { controlPlane: plane })).toThrow(
      'a/two: controlPlane: management/a already has a/one; two writers would fight over default/kubernetes. Remove one of them.');
  });

  test('have one proxy for each control plane, whatever it is given', () => {
    const app = new App();
    const plane = controlPlane(new Chart(app, 'management'), 'a');
    new TcpProxyAddon(new Chart(app, 'one'), 'proxy', { controlPlane: plane });
    expect(() => new TcpProxyAddon(new Chart(app, 'two'), 'proxy', { exposure: plane.exposure })).toThrow(
      'two/proxy: controlPlane: management/a already has one/proxy; two writers would fight over default/kubernetes. Remove one of them.');
  });
});
