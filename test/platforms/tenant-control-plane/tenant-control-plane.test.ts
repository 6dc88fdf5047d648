import { JsonPatch } from 'cdk8s';
import { k8s, Protocol } from 'cdk8s-plus-30';
import { ControlPlanePlatform, IngressController, KonnectivityAgentMode, KubeletAddressType, TenantControlPlaneProps } from '../../../src';
import { Tenant } from '../harness';

const PLATFORMS: [string, (props?: TenantControlPlaneProps) => ControlPlanePlatform][] = [
  ['Steward', props => ControlPlanePlatform.steward(props)],
  ['Kamaji', props => ControlPlanePlatform.kamaji(props)],
  ['KamajiControlPlane', props => ControlPlanePlatform.kamajiControlPlane(props)],
];
const TENANT_CONTROL_PLANES = PLATFORMS.slice(0, 2);

/** Where the resource carries the arguments of kube-apiserver. */
const apiServerArgs = (spec: any): string[] | undefined => (spec.apiServer ?? spec.controlPlane?.deployment?.extraArgs)?.[spec.apiServer ? 'extraArgs' : 'apiServer'];
const NONE = '--endpoint-reconciler-type=none';

describe.each(TENANT_CONTROL_PLANES)('the deployment of %s', (_name, platform) => {
  const deployment = (attachment?: Parameters<Tenant['attachTcpProxy']>[0]) => {
    const tenant = new Tenant(platform());
    return (attachment ? tenant.attachTcpProxy(attachment) : tenant).spec().controlPlane.deployment;
  };

  test.each([
    ['without a tcp-proxy', undefined, { extraArgs: { apiServer: [] } }],
    ['with one that owns the endpoints', { endpointsOwnedByTcpProxy: true }, { extraArgs: { apiServer: [NONE] } }],
    ['with one at a fixed address', { endpointsOwnedByTcpProxy: false, advertiseAddress: '100.64.30.10' }, { extraArgs: { apiServer: [] } }],
  ])('is there with extraArgs, without which neither webhook nor operator works: %s', (_what, attachment, expected) => {
    expect(deployment(attachment)).toEqual(expected);
  });
});

describe.each(PLATFORMS)('%s', (name, platform) => {
  describe('--endpoint-reconciler-type=none', () => {
    test('is absent without a tcp-proxy', () => {
      expect(apiServerArgs(new Tenant(platform()).spec()) ?? []).toEqual([]);
    });

    test('is absent when the tcp-proxy leaves default/kubernetes to the API server', () => {
      const tenant = new Tenant(platform()).attachTcpProxy({ endpointsOwnedByTcpProxy: false, advertiseAddress: '100.64.30.10' });
      expect(apiServerArgs(tenant.spec()) ?? []).toEqual([]);
    });

    test('is there once when the tcp-proxy that is added later owns default/kubernetes', () => {
      const tenant = new Tenant(platform({ extraArgs: { apiServer: ['--v=2'] } })).attachTcpProxy({ endpointsOwnedByTcpProxy: true });
      expect(apiServerArgs(tenant.spec())).toEqual(['--v=2', NONE]);
    });

    test('is there once when the user gives it too', () => {
      const tenant = new Tenant(platform({ extraArgs: { apiServer: [NONE, '--v=2'] } })).attachTcpProxy({ endpointsOwnedByTcpProxy: true });
      expect(apiServerArgs(tenant.spec())).toEqual(['--v=2', NONE]);
    });

    test('is an error at synthesis when the tcp-proxy leaves default/kubernetes to the API server, and only with such a tcp-proxy', () => {
      const none = platform({ extraArgs: { apiServer: [NONE] } });
      expect(apiServerArgs(new Tenant(none).spec())).toEqual([NONE]);
      expect(() => new Tenant(none).attachTcpProxy({ endpointsOwnedByTcpProxy: false, advertiseAddress: '100.64.30.10' }).synth())
        .toThrow(/extraArgs\.apiServer: "--endpoint-reconciler-type=none" keeps the API server from writing .*100\.64\.30\.10.* so that nobody does\. Leave the flag out/);
    });

    test('is an error at synthesis when the user gives another value, and only with such a tcp-proxy', () => {
      const lease = platform({ extraArgs: { apiServer: ['--endpoint-reconciler-type=lease'] } });
      expect(apiServerArgs(new Tenant(lease).spec())).toEqual(['--endpoint-reconciler-type=lease']);
      expect(() => new Tenant(lease).attachTcpProxy({ endpointsOwnedByTcpProxy: true }).synth())
        .toThrow(/extraArgs\.apiServer: "--endpoint-reconciler-type=lease" has the API server write default\/kubernetes.* Leave the flag out/);
    });
  });

  test.each([
    ['--advertise-address=10.0.0.1', /Leave it out; a tcp-proxy with a fixed advertise address sets it/],
    ['--secure-port=443', /Use "apiPort"/],
    ['--service-cluster-ip-range=10.0.0.0/16', /Use "network\.serviceCidrs"/],
    ['--etcd-servers=https://etcd:2379', /choose another "dataStore"/],
    ['--enable-admission-plugins=NodeRestriction', /Use "admissionControllers"/],
    ['--tls-cert-file=/a.crt', /Leave it out/],
  ])('refuses %s, which the operator computes', (arg, remedy) => {
    const act = () => platform({ extraArgs: { apiServer: ['--v=2', arg] } });
    expect(act).toThrow(`extraArgs.apiServer[1]: "${arg}" is computed by ${name === 'Steward' ? 'Steward' : 'Kamaji'}`);
    expect(act).toThrow(remedy);
  });

  test('lets the user set flags that only have defaults', () => {
    const args = ['--authorization-mode=Node,RBAC', '--service-account-issuer=https://issuer.example.com'];
    expect(apiServerArgs(new Tenant(platform({ extraArgs: { apiServer: args } })).spec())).toEqual(args);
  });

  test.each(['apiServer', 'controllerManager', 'scheduler', 'kine'])('refuses an argument of %s in two words', component => {
    expect(() => platform({ extraArgs: { [component]: ['--v', '2'] } }))
      .toThrow(`extraArgs.${component}[1]: "2" is not a flag. Write each argument as one "--flag=value".`);
  });

  test.each([
    ['konnectivityServer', '--server-count=1', /Use "replicas"/],
    ['konnectivityServer', '--agent-port=9000', /Use "konnectivityServer\.port"/],
    ['konnectivityAgent', '--proxy-server-host=kubernetes.default', /Use "konnectivity\.hostname" of the control plane/],
    ['konnectivityAgent', '--proxy-server-port=8132', /Use "konnectivity\.port" of the control plane/],
  ])('refuses %s %s', (component, arg, remedy) => {
    const act = () => platform({ [component]: { extraArgs: [arg] } });
    expect(act).toThrow(`${component}.extraArgs[0]: "${arg}"`);
    expect(act).toThrow(remedy);
  });

  test.each([
    [{ replicas: 2 }, /konnectivityAgent\.replicas: 2 does not fit the mode DaemonSet.* set konnectivityAgent\.mode to DEPLOYMENT/],
    [{ mode: KonnectivityAgentMode.DEPLOYMENT, replicas: 0 }, /konnectivityAgent\.replicas: 0 leaves the API server without a way to the nodes/],
    [{ mode: KonnectivityAgentMode.DEPLOYMENT, replicas: -1 }, /konnectivityAgent\.replicas: -1 is not a number of replicas/],
  ])('refuses konnectivity agents %j', (konnectivityAgent, message) => {
    expect(() => platform({ konnectivityAgent })).toThrow(message);
  });

  test.each([-1, 1.5, NaN])('refuses %d replicas', replicas => {
    expect(() => platform({ replicas })).toThrow(/replicas: .* is not a number of replicas\. Give a whole number of at least 0/);
  });

  test('passes 0 replicas on, which puts the control plane to sleep', () => {
    const spec = new Tenant(platform({ replicas: 0 })).spec();
    expect(spec.replicas ?? spec.controlPlane.deployment.replicas).toBe(0);
  });

  test.each([
    [{ name: 'kube-apiserver', port: 9000 }, /additionalPorts\[0\]\.name: "kube-apiserver" is already the name of a port/],
    [{ name: 'konnectivity-server', port: 9000 }, /additionalPorts\[0\]\.name: "konnectivity-server"/],
    [{ name: 'Signer', port: 9000 }, /additionalPorts\[0\]\.name: "Signer" is not a valid name/],
    [{ name: 'signer', port: 6443 }, /additionalPorts\[0\]\.port: 6443 is already the port of kube-apiserver/],
    [{ name: 'signer', port: 8132 }, /additionalPorts\[0\]\.port: 8132 is already the port of konnectivity-server/],
    [{ name: 'signer', port: 70000 }, /additionalPorts\[0\]\.port: 70000 is not a port/],
    [{ name: 'signer', port: 9000, targetPort: 0 }, /additionalPorts\[0\]\.targetPort: 0 is not a port/],
  ])('refuses the port %j', (port, message) => {
    expect(() => platform({ additionalPorts: [port] })).toThrow(message);
  });

  test('refuses two further ports of one name', () => {
    expect(() => platform({ additionalPorts: [{ name: 'a', port: 9000 }, { name: 'a', port: 9001 }] })).toThrow(/additionalPorts\[1\]\.name: "a"/);
  });

  test('refuses an admission controller that the CRD does not list', () => {
    expect(() => platform({ admissionControllers: ['NodeRestrictions'] }))
      .toThrow(/admissionControllers\[0\]: "NodeRestrictions" is not one that the operator knows\. Choose among .*NodeRestriction,/);
  });

  test('refuses an empty or repeated list of kubelet addresses', () => {
    expect(() => platform({ kubeletAddressTypes: [] })).toThrow(/kubeletAddressTypes: \[\] is empty/);
    expect(() => platform({ kubeletAddressTypes: [KubeletAddressType.HOSTNAME, KubeletAddressType.HOSTNAME] }))
      .toThrow(/kubeletAddressTypes\[1\]: "Hostname" occurs twice/);
  });

  test('refuses an unhandled IngressClass that is not a name', () => {
    expect(() => platform({ unhandledIngressClassName: 'Nobody' })).toThrow(/unhandledIngressClassName: "Nobody" is not the name of an object/);
  });

  test('refuses a name as advertise address, which would keep the API server from starting', () => {
    const tenant = new Tenant(platform()).attachTcpProxy({ endpointsOwnedByTcpProxy: false, advertiseAddress: 'tenant-01.k8s.example.com' });
    expect(() => tenant.synth()).toThrow(/advertiseAddress: "tenant-01\.k8s\.example\.com" is not an IP address/);
  });

  test('refuses resource claims, which have no field', () => {
    expect(() => platform({ resources: { apiServer: { claims: [{ name: 'gpu' }] } } }))
      .toThrow(/resources\.apiServer\.claims: .* cannot be passed on by the operator/);
    expect(() => platform({ konnectivityServer: { resources: { claims: [{ name: 'gpu' }] } } })).toThrow(/konnectivityServer\.resources\.claims: /);
  });

  test('refuses amounts that are no quantities, which would be lost', () => {
    const requests: any = { cpu: '1' };
    expect(() => platform({ resources: { kine: { requests } } })).toThrow(
      'resources.kine.requests["cpu"]: "1" is not a Quantity, so that it would be lost. Give k8s.Quantity.fromString() or fromNumber() of it.');
  });

  test('refuses a cluster domain without a dot', () => {
    expect(() => new Tenant(platform(), { network: { clusterDomain: 'local' } })).toThrow(/network\.clusterDomain: "local" has no domain/);
  });

  test('refuses DNS addresses outside of the Service networks', () => {
    expect(() => new Tenant(platform(), { network: { dnsServiceIps: ['10.97.0.10'] } }))
      .toThrow(/network\.dnsServiceIps\[0\]: "10\.97\.0\.10" does not lie in the Service networks/);
  });

  describe('the addresses of the cluster\'s DNS', () => {
    const addresses = (props: TenantControlPlaneProps, network = {}) => {
      const { networkProfile, network: ofCluster, addons } = new Tenant(platform(props), { network }).spec();
      return addons?.coreDNS?.dnsServiceIPs ?? (networkProfile ?? ofCluster).dnsServiceIPs;
    };
    const ipv6 = { serviceCidrs: ['fd00:96::/112'], podCidrs: ['fd00:244::/56'] };

    test.each([
      ['of the network that is the default', {}, {}, '10.96.0.10'],
      ['of a network of the user\'s', {}, { serviceCidrs: ['10.100.0.0/16'] }, '10.100.0.10'],
      ['of an IPv6 network, where the operator counts to 16', {}, ipv6, 'fd00:96::10'],
      ['of an IPv6 network with the operator\'s CoreDNS, where kubeadm counts to ten', { coreDns: {} }, ipv6, 'fd00:96::a'],
    ])('are always written, as the operator sets them at creation alone: %s', (_what, props, network, address) => {
      expect(addresses(props, network)).toEqual([address]);
    });

    test('cannot be made up in a network that is too small', () => {
      const network = { serviceCidrs: ['10.96.0.0/29'], podCidrs: ['10.244.0.0/16'] };
      expect(() => addresses({}, network)).toThrow(/^\S+: network\.serviceCidrs: "10\.96\.0\.0\/29" is too small/);
      expect(addresses({}, { ...network, dnsServiceIps: ['10.96.0.3'] })).toEqual(['10.96.0.3']);
    });

    test('are warned of where the operator\'s CoreDNS has another', () => {
      const warnings = (props: TenantControlPlaneProps, dnsServiceIps: string[]) =>
        new Tenant(platform(props), { network: { dnsServiceIps } }).warnings();
      expect(warnings({ coreDns: {} }, ['10.96.0.53'])).toEqual([expect.stringMatching(
        /^network\.dnsServiceIps: "10\.96\.0\.53" is not the address of the CoreDNS .*, 10\.96\.0\.10: /)]);
      expect(warnings({ coreDns: {} }, ['10.96.0.10', '10.96.0.53'])).toEqual([]);
      expect(warnings({}, ['10.96.0.53'])).toEqual([]);
    });
  });

  test('refuses a name that cannot be a Service', () => {
    expect(() => new Tenant(platform(), { name: '1-tenant' })).toThrow(/name: "1-tenant" is not a valid name/);
  });

  describe('versions of Kubernetes', () => {
    const { newest, refused } = name === 'Steward' ? { newest: '1.35', refused: '1.36' } : { newest: '1.36', refused: '1.38' };

    test('takes those that the webhook of the operator admits, without a word', () => {
      expect(new Tenant(platform(), { kubernetesVersion: `${newest}.9` }).warnings()).toEqual([]);
    });

    test.each(['0', '4'])('refuses those that the webhook refuses, and names the newest that was read: patch %s', patch => {
      expect(() => new Tenant(platform(), { kubernetesVersion: `${refused}.${patch}` }))
        .toThrow(new RegExp(`^\\S+: kubernetesVersion: "${refused}.${patch}" is refused by the webhook of .*; the newest that was read is ${newest} \\(.*newestKubernetesVersion`));
    });

    test.each(['1.99.0', '2.0.0'])('refuses %s', kubernetesVersion => {
      expect(() => new Tenant(platform(), { kubernetesVersion })).toThrow(/is refused by the webhook/);
    });

    test('takes what the user says that another release of the operator admits, and nothing newer', () => {
      expect(new Tenant(platform({ newestKubernetesVersion: refused }), { kubernetesVersion: `${refused}.1` }).warnings()).toEqual([]);
      expect(() => new Tenant(platform({ newestKubernetesVersion: '1.30' }), { kubernetesVersion: '1.31.0' }))
        .toThrow('kubernetesVersion: "1.31.0" is newer than 1.30, the newest that newestKubernetesVersion of the platform says works.');
    });

    test.each(['', 'latest', '1.x'])('refuses "%s" as what another release admits', newestKubernetesVersion => {
      expect(() => platform({ newestKubernetesVersion })).toThrow(/newestKubernetesVersion: .* is not a version/);
    });
  });

  test('warns of konnectivity settings on a control plane without konnectivity', () => {
    const tenant = new Tenant(platform({ konnectivityAgent: { image: 'a' }, konnectivityServer: { image: 'b' } }));
    expect(tenant.spec().addons).toBeUndefined();
    expect(tenant.warnings()).toEqual([
      expect.stringMatching(/^konnectivityAgent: has no effect on tenants\/tenant-01, which has no konnectivity/),
      expect.stringMatching(/^konnectivityServer: has no effect/),
    ]);
  });

  test('refuses a TLS service whose pods have another port than it says', () => {
    const signer = platform({ additionalPorts: [{ name: 'signer', port: 443, targetPort: 9443 }] });
    const tenantWith = (podPort?: number) => new Tenant(signer, { tlsServices: [{ name: 'signer', servicePort: 443, podPort }] });
    expect(tenantWith(9443).warnings()).toEqual([]);
    expect(() => tenantWith()).toThrow(new Error('management/tenant-01: podPort of signer: 443 is not the targetPort 9443 that "additionalPorts" gives the port 443 of the Service. '
      + 'Set podPort: 9443 in the TLS service "signer".'));
    expect(() => tenantWith(9444)).toThrow('podPort of signer: 9444 is not the targetPort 9443');
  });

  test('warns of a TLS service on a port that the control plane\'s Service lacks', () => {
    const tlsServices = [
      { name: 'signer', servicePort: 9443 },
      { name: 'oauth', servicePort: 443, serviceName: 'oauth' },
      { name: 'internal', servicePort: 6443 },
    ];
    expect(new Tenant(platform(), { tlsServices }).warnings())
      .toEqual([expect.stringMatching(/^tlsServices: "signer" leads to port 9443 of the control plane's Service.*Add the port to "additionalPorts"/)]);
    expect(new Tenant(platform({ additionalPorts: [{ name: 'signer', port: 9443 }] }), { tlsServices }).warnings()).toEqual([]);
  });

  test.each(['1.34.3+k0s.1', '1.34.3- $(x) y', '1.34.3-', '1.34.3-a..b'])('refuses the version %s, which is no tag of an image', kubernetesVersion => {
    expect(() => new Tenant(platform(), { kubernetesVersion })).toThrow(`kubernetesVersion: "${kubernetesVersion}" is not `);
  });

  test('says which version has images', () => {
    expect(() => new Tenant(platform(), { kubernetesVersion: '1.34.3+k0s.1' })).toThrow(
      /is not the tag of an image of kube-apiserver, which .* makes of it\. Give the version of a release of Kubernetes, "1\.34\.3"\./);
  });

  test('takes a version before a release', () => {
    const spec = new Tenant(platform(), { kubernetesVersion: '1.34.0-rc.1' }).spec();
    expect(spec.version ?? spec.kubernetes.version).toBe('v1.34.0-rc.1');
  });

  test('refuses labels of the pods that are the operator\'s', () => {
    const group = name === 'Steward' ? 'steward.butlerlabs.dev' : 'kamaji.clastix.io';
    for (const label of [`${group}/name`, `component.${group}/ca`]) {
      expect(() => platform({ podLabels: { [label]: 'other' } })).toThrow(`podLabels: "${label}" is a label of`);
    }
    expect(() => platform({ podLabels: { 'example.com/name': 'other', [`my${group}/name`]: 'other' } })).not.toThrow();
  });

  test('has the konnectivity settings next to the arguments of the exposure', () => {
    const tolerations = [{ operator: 'Exists' }];
    const spec = new Tenant(platform({
      konnectivityAgent: {
        image: 'registry.example.com/agent',
        version: 'v0.31.0',
        mode: KonnectivityAgentMode.DEPLOYMENT,
        replicas: 3,
        tolerations,
        hostNetwork: true,
        extraArgs: ['--v=2'],
      },
      konnectivityServer: {
        port: 8443,
        image: 'registry.example.com/server',
        version: 'v0.31.0',
        extraArgs: ['--v=2'],
        resources: { limits: { memory: k8s.Quantity.fromString('64Mi') } },
      },
    }), { hostname: 'a.k8s.example.com', konnectivity: { hostname: 'a.konnectivity.example.com' } }).spec();

    expect(spec.addons.konnectivity).toEqual({
      agent: {
        image: 'registry.example.com/agent',
        version: 'v0.31.0',
        mode: 'Deployment',
        replicas: 3,
        tolerations,
        hostNetwork: true,
        extraArgs: ['--proxy-server-host=a.konnectivity.example.com', '--proxy-server-port=443', '--v=2'],
      },
      server: {
        port: 8443, image: 'registry.example.com/server', version: 'v0.31.0', extraArgs: ['--v=2'], resources: { limits: { memory: '64Mi' } },
      },
    });
  });

  test('leads routes to the ports that it gives the Service', () => {
    const tenant = new Tenant(platform({ apiPort: 7443, konnectivityServer: { port: 8443 } }), { konnectivity: {} });
    expect(tenant.controlPlane.routes.map(route => route.servicePort)).toEqual([7443, 8443]);
  });

  test('has CoreDNS and kube-proxy installed when they are there, even if empty', () => {
    const addons = new Tenant(platform({ coreDns: {}, kubeProxy: { imageTag: 'v1.31.1' } })).spec().addons;
    expect(addons).toEqual({ coreDNS: name === 'KamajiControlPlane' ? { dnsServiceIPs: ['10.96.0.10'] } : {}, kubeProxy: { imageTag: 'v1.31.1' } });
  });

  test('keeps fields of a JsonPatch that the compact schema does not know', () => {
    const tenant = new Tenant(platform());
    tenant.controlPlane.platformObject.addJsonPatch(JsonPatch.add('/spec/dataStoreOverrides', [{ resource: '/events', dataStore: 'events' }]));
    expect(tenant.spec().dataStoreOverrides).toEqual([{ resource: '/events', dataStore: 'events' }]);
  });

  test('carries the labels and annotations of the control plane', () => {
    const { metadata } = new Tenant(platform(), { labels: { team: 'a' }, annotations: { note: 'b' } }).resource();
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/name': 'hosted-control-plane', 'app.kubernetes.io/instance': 'tenant-01', 'team': 'a' });
    expect(metadata.annotations).toEqual({ note: 'b' });
  });

  test('does not see changes to the user\'s values, which were checked before them', () => {
    const apiServer = ['--v=2'];
    const podLabels: any = { team: 'a' };
    const tenant = new Tenant(platform({ extraArgs: { apiServer }, podLabels }));
    apiServer.push('--secure-port=443');
    podLabels.team = 'b';
    const spec = tenant.spec();
    expect(apiServerArgs(spec)).toEqual(['--v=2']);
    expect((spec.deployment ?? spec.controlPlane.deployment).podAdditionalMetadata.labels).toEqual({ team: 'a' });
  });

  test('serves many tenants with one platform', () => {
    const shared = platform();
    const specs = ['tenant-01', 'tenant-02'].map(tenant => new Tenant(shared, { name: tenant, konnectivity: {} }).spec());
    expect(JSON.stringify(specs[0])).not.toContain('tenant-02');
    expect(JSON.stringify(specs[1])).not.toContain('tenant-01');
  });

  test('adds further SANs of the user to those of the exposure', () => {
    const spec = new Tenant(platform(), { certSans: ['10.0.0.50', 'api.internal.example.com'] }).spec();
    expect((spec.networkProfile ?? spec.network).certSANs.slice(-2)).toEqual(['10.0.0.50', 'api.internal.example.com']);
  });
});

describe.each(TENANT_CONTROL_PLANES)('the TenantControlPlane of %s', (_name, platform) => {
  test('always has spec.kubernetes.kubelet, which its CRD requires', () => {
    expect(new Tenant(platform()).spec().kubernetes.kubelet).toEqual({});
  });

  test('has every setting of the deployment', () => {
    const spread = {
      maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'x' } },
    };
    const tolerations = [{ key: 'dedicated', operator: 'Equal', value: 'control-planes', effect: 'NoSchedule' }];
    const registrySettings = {
      registry: 'registry.example.com', apiServerImage: 'a', controllerManagerImage: 'b', schedulerImage: 'c', tagSuffix: '-x',
    };
    const extraArgs = { apiServer: ['--v=2'], controllerManager: ['--v=3'], scheduler: ['--v=4'], kine: ['--debug'] };
    const amounts = { requests: { cpu: k8s.Quantity.fromString('500m') }, limits: { memory: k8s.Quantity.fromString('1Gi') } };
    const plain = { requests: { cpu: '500m' }, limits: { memory: '1Gi' } };
    const props = {
      replicas: 3,
      dataStore: 'etcd',
      dataStoreSchema: 'tenants_tenant_01',
      dataStoreUsername: 'tenants_user',
      extraArgs,
      registrySettings,
      resources: { apiServer: amounts, controllerManager: amounts, scheduler: amounts, kine: amounts },
      nodeSelector: { pool: 'control-planes' },
      tolerations,
      topologySpreadConstraints: [spread],
      podLabels: { team: 'a' },
      podAnnotations: { note: 'b' },
      additionalPorts: [{ name: 'signer', port: 9443, targetPort: 'https', protocol: Protocol.TCP, appProtocol: 'https' }],
      kubeletAddressTypes: [KubeletAddressType.INTERNAL_IP, KubeletAddressType.EXTERNAL_DNS],
      admissionControllers: ['NodeRestriction'],
    };
    const spec = new Tenant(platform(props)).spec();

    expect(spec).toMatchObject({ dataStore: 'etcd', dataStoreSchema: 'tenants_tenant_01', dataStoreUsername: 'tenants_user' });
    expect(spec.controlPlane.deployment).toEqual({
      replicas: 3,
      extraArgs,
      registrySettings,
      resources: { apiServer: plain, controllerManager: plain, scheduler: plain, kine: plain },
      nodeSelector: { pool: 'control-planes' },
      tolerations,
      topologySpreadConstraints: [spread],
      podAdditionalMetadata: { labels: { team: 'a' }, annotations: { note: 'b' } },
    });
    expect(spec.controlPlane.service).toEqual({ serviceType: 'ClusterIP', additionalPorts: props.additionalPorts });
    expect(spec.kubernetes).toEqual({
      version: 'v1.31.0', kubelet: { preferredAddressTypes: ['InternalIP', 'ExternalDNS'] }, admissionControllers: ['NodeRestriction'],
    });
  });
});

test('No platform pins clients to one konnectivity server by session affinity', () => {
  const controller = IngressController.haproxy();
  const tenants = PLATFORMS.map(([, platform]) => new Tenant(platform({ replicas: 3 }), { konnectivity: {}, controller }));
  expect(JSON.stringify(tenants.map(tenant => tenant.synth())).toLowerCase()).not.toContain('affinity');
});
