import { ALL_V1BETA1, ALL_V1BETA2, HetznerTenant } from './harness';
import { ClusterApiVersion, HetznerRegion, HetznerWorkerPoolProps } from '../../../src';

const WORKERS = { replicas: 2, type: 'cpx22' };

function namesOf(kind: string, workers: HetznerWorkerPoolProps, versions = {}): string {
  return new HetznerTenant({ workers, ...versions }).one(kind).metadata.name;
}

describe('a pool of workers', () => {
  test('has a new machine template for a new machine, and the same one for the same', () => {
    const name = namesOf('HCloudMachineTemplate', WORKERS);
    expect(name).toMatch(/^cluster01-worker-[0-9a-f]{8}$/);
    expect(namesOf('HCloudMachineTemplate', { type: 'cpx22', replicas: 5 })).toBe(name);
    for (const changed of [{ type: 'cpx32' }, { image: 'debian-12' }, { placementGroup: 'spread' }, { sshKeyNames: ['other'] }, { publicIpv4: false }]) {
      expect(namesOf('HCloudMachineTemplate', { ...WORKERS, ...changed })).not.toBe(name);
    }
  });

  test('has a new configuration for other files, commands, arguments or another k0s', () => {
    const name = namesOf('K0sWorkerConfigTemplate', WORKERS);
    const changes: Partial<HetznerWorkerPoolProps>[] = [
      { files: [{ path: '/etc/motd', content: 'hello' }] }, { preK0sCommands: ['true'] }, { postK0sCommands: ['true'] }, { args: ['--debug'] }, { k0sVersion: '1.34.2' },
    ];
    const names = changes.map(changed => namesOf('K0sWorkerConfigTemplate', { ...WORKERS, ...changed }));
    expect(new Set([name, ...names]).size).toBe(changes.length + 1);
  });

  test('does not replace its machines for another version of an API', () => {
    const workers = { ...WORKERS, preK0sCommands: ['true'] };
    for (const kind of ['HCloudMachineTemplate', 'K0sWorkerConfigTemplate']) {
      expect(namesOf(kind, workers, ALL_V1BETA1)).toBe(namesOf(kind, workers, ALL_V1BETA2));
    }
  });

  test.each([
    ['v1beta1', ALL_V1BETA1, 'preStartCommands', 'postStartCommands'],
    ['v1beta2', ALL_V1BETA2, 'preK0sCommands', 'postK0sCommands'],
  ])('has commands in the fields of %s, and files that others cannot read when they come from a Secret', (_, versions, before, after) => {
    const tenant = new HetznerTenant({
      ...versions,
      workers: {
        ...WORKERS,
        args: ['--labels=pool=a'],
        preK0sCommands: ['modprobe br_netfilter'],
        postK0sCommands: ['k0s status'],
        files: [
          { path: '/etc/motd', content: 'hello' },
          { path: '/etc/registry.json', secret: { name: 'registry', key: 'config' } },
          { path: '/etc/sysctl.d/90.conf', configMap: { name: 'sysctl', key: 'conf' }, permissions: '0640' },
        ],
      },
    });
    expect(tenant.one('K0sWorkerConfigTemplate').spec.template.spec).toEqual({
      version: 'v1.34.3+k0s.0',
      args: ['--enable-cloud-provider', '--kubelet-extra-args=--cloud-provider=external', '--labels=pool=a'],
      [before]: ['modprobe br_netfilter'],
      [after]: ['k0s status'],
      files: [
        { path: '/etc/motd', content: 'hello', permissions: '0644' },
        { path: '/etc/registry.json', permissions: '0600', contentFrom: { secretRef: { name: 'registry', key: 'config' } } },
        { path: '/etc/sysctl.d/90.conf', permissions: '0640', contentFrom: { configMapRef: { name: 'sysctl', key: 'conf' } } },
      ],
    });
  });

  test('is in the region of the cluster unless it says otherwise, as Hetzner\'s provider makes no server without a failure domain', () => {
    const domain = (workers: HetznerWorkerPoolProps) => new HetznerTenant({ workers }).one('MachineDeployment').spec.template.spec.failureDomain;
    expect(domain(WORKERS)).toBe('nbg1');
    expect(domain({ ...WORKERS, region: HetznerRegion.FSN1 })).toBe('fsn1');
  });

  test('has its placement group in the HetznerCluster, once for all pools', () => {
    const tenant = new HetznerTenant({ workers: { ...WORKERS, placementGroup: 'spread' } });
    tenant.cluster.addWorkerPool('large', { type: 'cpx42', placementGroup: 'spread' });
    tenant.cluster.addWorkerPool('small', { type: 'cpx12', placementGroup: 'small' });
    expect(tenant.one('HetznerCluster').spec.hcloudPlacementGroups).toEqual([{ name: 'spread' }, { name: 'small' }]);
    expect(tenant.synth().filter(({ kind }) => kind === 'MachineDeployment').map(({ metadata }) => metadata.name)).toEqual([
      'cluster01-worker', 'cluster01-large', 'cluster01-small',
    ]);
  });

  test.each<[string, Partial<HetznerWorkerPoolProps>, string]>([
    ['a newer k0s than the control plane', { k0sVersion: '1.35.1' }, 'workers.k0sVersion: "v1.35.1+k0s.0" is newer than the control plane\'s, v1.34.3+k0s.0. Upgrade'],
    ['half a worker', { replicas: 0.5 }, 'workers.replicas: 0.5 is not a number of workers'],
    ['no type', { type: '' }, 'workers.type: "" is empty'],
    ['a managed argument', { args: ['--token-file=/x'] }, 'workers.args[0]: "--token-file=/x" is set by k0smotron'],
    ['a relative path', { files: [{ path: 'motd', content: '' }] }, 'workers.files[0].path: "motd" is not an absolute path'],
    ['a managed file', { files: [{ path: '/etc/haproxy/certs/ca.crt', content: '' }] }, 'workers.files[0].path: "/etc/haproxy/certs/ca.crt" is written by k0smotron'],
    ['a path twice', { files: [{ path: '/a', content: '' }, { path: '/a', content: '' }] }, 'workers.files[1].path: "/a" is used twice'],
    ['a file from two sources', { files: [{ path: '/a', content: '', secret: { name: 's', key: 'k' } }] }, 'Give exactly one of content, secret and configMap'],
    ['a file from nowhere', { files: [{ path: '/a' }] }, 'Give exactly one of content, secret and configMap'],
    ['a mode that is none', { files: [{ path: '/a', content: '', permissions: 'rw' }] }, 'workers.files[0].permissions: "rw" is not a mode'],
  ])('is refused with %s', (_, wrong, message) => {
    expect(() => new HetznerTenant({ workers: { ...WORKERS, ...wrong } })).toThrow(message);
  });

  test('may run an older k0s than the control plane, while that was upgraded first', () => {
    const tenant = new HetznerTenant({ workers: { ...WORKERS, k0sVersion: '1.33.6' }, clusterApiVersion: ClusterApiVersion.V1BETA1 });
    expect(tenant.one('MachineDeployment').spec.template.spec.version).toBe('v1.33.6');
  });
});

describe('a server without any network', () => {
  const hidden = { type: 'cpx22', publicIpv4: false, publicIpv6: false };

  test('is refused, in every pool', () => {
    const message = 'workers.publicIpv6: false leaves the servers without any network, as "publicIpv4" is false too and the cluster has no private network. ' +
      'Leave one of them on, or give the cluster "privateNetwork".';
    expect(() => new HetznerTenant({ privateNetwork: undefined, workers: hidden })).toThrow(message);
    const { cluster } = new HetznerTenant({ privateNetwork: undefined });
    expect(() => cluster.addWorkerPool('hidden', hidden)).toThrow(message);
  });

  test('is none with a private network, or with one public address', () => {
    expect(() => new HetznerTenant({ workers: hidden })).not.toThrow();
    expect(() => new HetznerTenant({ privateNetwork: undefined, workers: { ...hidden, publicIpv6: true } })).not.toThrow();
    expect(() => new HetznerTenant({ privateNetwork: undefined, workers: { ...hidden, publicIpv4: undefined } })).not.toThrow();
  });

  test('would be one in a zone that the private network does not reach', () => {
    const { cluster } = new HetznerTenant();
    expect(() => cluster.addWorkerPool('far', { type: 'cpx22', region: HetznerRegion.SIN })).toThrow(
      'workers.region: "sin" lies in ap-southeast, which the private network of the cluster in eu-central does not reach');
    expect(() => cluster.addWorkerPool('near', { type: 'cpx22', region: HetznerRegion.HEL1 })).not.toThrow();
    expect(() => new HetznerTenant({ privateNetwork: undefined }).cluster.addWorkerPool('far', { type: 'cpx22', region: HetznerRegion.SIN })).not.toThrow();
  });
});

test.each([
  ['an empty image', { image: '' }, 'workers.image: "" is empty'],
  ['an empty placement group', { placementGroup: '' }, 'workers.placementGroup: "" is empty'],
  ['an empty SSH key', { sshKeyNames: [''] }, 'workers.sshKeyNames[0]: "" is empty'],
])('a pool is refused with %s', (_, props, message) => {
  expect(() => new HetznerTenant({ workers: { type: 'cpx22', ...props } })).toThrow(message);
});
