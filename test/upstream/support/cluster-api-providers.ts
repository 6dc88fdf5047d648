import { Cluster } from '../../e2e/support/cluster';

/** Kinds that providers answer for, as kubectl calls them. */
const KINDS = [
  'hetznerclusters.infrastructure.cluster.x-k8s.io', 'hcloudmachines.infrastructure.cluster.x-k8s.io', 'k0sworkerconfigs.bootstrap.cluster.x-k8s.io',
  'k0smotroncontrolplanes.controlplane.cluster.x-k8s.io', 'kamajicontrolplanes.controlplane.cluster.x-k8s.io',
];

/** What a kubelet says of its node. */
const HEALTHY = [{ type: 'Ready', status: 'True' }, ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map(type => ({ type, status: 'False' }))];
/** What k0smotron writes into the infrastructure when the load balancer of a control plane has an address. */
export const LOAD_BALANCER = { host: '198.51.100.7', port: 6443 };

/** The part of a provider that others wait for. Its fields follow both contracts of Cluster API, of which it reads one. */
interface Answer {
  readonly status: object;
  /** What the provider writes into the spec. */
  readonly spec?: object;
}

/**
 * The providers of control planes, infrastructure and bootstrap data, as far as the contract with Cluster API goes: each object that it has taken
 * over is answered once. Machines become nodes of the tenant whose Cluster has its name.
 */
export class Providers {
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private failure: unknown;

  public constructor(private readonly management: Cluster, private readonly tenants: { readonly [name: string]: Cluster }) {}

  public start(): void {
    const round = async (): Promise<void> => {
      while (!this.stopped) {
        await this.answerAll().catch(error => {
          this.failure = error;
        });
        await new Promise(resolve => setTimeout(resolve, 500));
      }
    };
    this.running = round();
  }

  public async stop(): Promise<unknown> {
    this.stopped = true;
    await this.running;
    return this.failure;
  }

  private async answerAll(): Promise<void> {
    const { items } = JSON.parse(await this.management.kubectl(['get', KINDS.join(), '--all-namespaces', '--output=json']));
    for (const object of items) {
      const { metadata: { ownerReferences, deletionTimestamp }, status } = object;
      if (ownerReferences === undefined || deletionTimestamp !== undefined || status?.ready) continue;
      await this.answer(object);
    }
  }

  private async answer(object: any): Promise<void> {
    const { spec, status } = answerTo(object);
    if (spec) await this.patch(object, { spec });
    if (object.kind === 'HCloudMachine') await this.makeNode(object);
    await this.patch(object, { status }, '--subresource=status');
  }

  private async patch({ apiVersion, kind, metadata: { name, namespace } }: any, patch: object, ...flags: string[]): Promise<void> {
    const [group, version] = apiVersion.split('/');
    await this.management.kubectl([
      'patch', `${kind}.${version}.${group}`, name, `--namespace=${namespace}`, '--type=merge', '--field-manager=provider', `--patch=${JSON.stringify(patch)}`, ...flags,
    ]);
  }

  /** What the cloud controller manager and the kubelet of a server do. */
  private async makeNode({ metadata: { name, namespace, labels } }: any): Promise<void> {
    const tenant = this.tenants[`${namespace}/${labels['cluster.x-k8s.io/cluster-name']}`];
    if (!tenant) return;
    await tenant.apply([{ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID: providerId(name) } }]);
    await tenant.kubectl(['patch', 'node', name, '--subresource=status', `--patch=${JSON.stringify({ status: { conditions: HEALTHY } })}`]);
  }
}

function providerId(machine: string): string {
  return `hcloud://${machine}`;
}

function answerTo({ kind, metadata: { name, annotations }, spec }: any): Answer {
  const ready = { ready: true };
  switch (kind) {
    case 'HetznerCluster': {
      const waits = annotations?.['capi.syself.com/allow-empty-control-plane-address'] === 'true';
      return { status: { ...ready, initialization: { provisioned: true } }, ...waits && { spec: { controlPlaneEndpoint: LOAD_BALANCER } } };
    }
    case 'HCloudMachine':
      return { spec: { providerID: providerId(name) }, status: { ...ready, initialization: { provisioned: true } } };
    case 'K0sWorkerConfig':
      return { status: { ...ready, dataSecretName: name, initialization: { dataSecretCreated: true } } };
    default: {
      const { replicas = 1 } = spec;
      const status = {
        ...ready,
        initialized: true,
        initialization: { controlPlaneInitialized: true },
        externalManagedControlPlane: true,
        version: spec.version,
        ...Object.fromEntries(['replicas', 'readyReplicas', 'availableReplicas', 'upToDateReplicas'].map(key => [key, replicas])),
      };
      // The provider of Kamaji hands the endpoint to Cluster API in the spec of its own resource.
      const host = spec.network?.ingress?.hostname?.split(':')[0];
      return { status, ...kind === 'KamajiControlPlane' && { spec: { controlPlaneEndpoint: { host, port: 443 } } } };
    }
  }
}
