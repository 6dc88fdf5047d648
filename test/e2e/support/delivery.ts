import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, Chart, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Agent } from './agent';
import { Cluster, EXPOSURE } from './cluster';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath,
  SharedIngressGateway, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement, TenantCharts, TenantDelivery, TenantIpv6AddressProps,
  TenantNetwork, TenantPortProps,
} from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { CertificateAuthority } from '../../support/certificates';

const SYNC_NAMESPACE = 'tenant-sync';
const { name: TENANT, namespace: TENANTS } = EXPOSURE;
/** What an API server without operators can hold, in the order in which kubectl has to see it. */
export const CORE_GROUPS = ['v1', 'apps/v1', 'rbac.authorization.k8s.io/v1', 'policy/v1'];

export interface Delivered {
  /** Whether the tenant has a tcp-proxy. Default: true. */
  readonly tcpProxy?: boolean;
  /** Who keeps the endpoints of a tcp-proxy on every node. Default: a tcp-proxy with the library's defaults. */
  readonly endpoints?: TcpProxyEndpoints;
  /** A port of the tenant at a shared gateway instead of a tcp-proxy. Default: none. */
  readonly port?: TenantPortProps;
  /** An IPv6 address of the tenant at a shared gateway instead. Default: none. */
  readonly address?: TenantIpv6AddressProps;
  /** Networks of the tenant. Default: those of the library. */
  readonly network?: TenantNetwork;
  /** Further ConfigMaps for the tenant, by name. Default: none. */
  readonly configMaps?: string[];
}

/** The management chart of one tenant that is delivered by sync, as the library makes it. */
export function managementManifests(delivered: Delivered = {}): any[] {
  return allManifests(delivered).filter(({ apiVersion }) => CORE_GROUPS.includes(apiVersion));
}

/** The spec of the custom resource, which the tests give to the operators that they play. */
export function controlPlaneSpec(delivered: Delivered): any {
  return allManifests(delivered).find(({ kind }) => kind === 'TenantControlPlane').spec;
}

function allManifests(delivered: Delivered): any[] {
  const { port, address, tcpProxy = port === undefined && address === undefined, endpoints, network, configMaps = [] } = delivered;
  const management = new Chart(new App(), 'management');
  const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
  const controlPlane = new IngressExposedControlPlane(management, TENANT, {
    namespace: TENANTS,
    kubernetesVersion: '1.32.13',
    hostname: EXPOSURE.api.host,
    platform: ControlPlanePlatform.kamaji(),
    network,
    ...port === undefined && address === undefined ? { controller: IngressController.haproxy() } : {
      controller: new SharedIngressGateway(management, 'edge', {
        namespace: TENANTS, portRange: { first: 20000, last: 20999 }, ...address && { addressRange: { prefix: '2001:db8:1::/64' } },
      }).asController(),
      kubernetesService: port === undefined ? KubernetesServicePath.ipv6Address(address) : KubernetesServicePath.port(port),
    },
  });
  const tenant = tenants.of(controlPlane);
  if (tcpProxy) {
    new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane, ...endpoints && { endpoints, placement: TcpProxyPlacement.everyNode() } });
  }
  if (port !== undefined || address !== undefined) {
    new KubernetesServiceEndpoints(tenant, 'kubernetes', { controlPlane });
  }
  const further = new Construct(tenant, 'further');
  for (const name of configMaps) {
    new ApiObject(further, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { of: Lazy.any({ produce: () => 'the bundle' }) } });
  }
  return management.toJson();
}

/** The cluster of the operators, which the tests play, and of sync. */
export class Management {
  /** @param namespace that of sync, which is also the name of its objects */
  public static async start(namespace = SYNC_NAMESPACE): Promise<Management> {
    const cluster = await Cluster.start({ behindIngress: false });
    await cluster.kubectl(['create', 'namespace', TENANTS]);
    return Management.of(cluster, namespace);
  }

  /** The cluster of operators that are not played. */
  public static of(cluster: Cluster, namespace: string): Management {
    return new Management(cluster, namespace);
  }

  private constructor(public readonly cluster: Cluster, private readonly namespace: string) {}

  public async apply(delivered: Delivered = {}): Promise<void> {
    await this.cluster.apply(managementManifests(delivered));
  }

  /** Writes the Secrets that Kamaji makes for the tenant. */
  public async writeSecrets(tenant: Pick<Cluster, 'ca' | 'port'>, ca: CertificateAuthority = tenant.ca, trusted = ca.certificate): Promise<void> {
    const admin = await ca.issue({ commonName: 'kubernetes-super-admin', organization: 'system:masters', keyType: 'ecdsa' });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await this.cluster.apply([
      this.secret(`${TENANT}-ca`, { 'ca.crt': ca.certificate, 'ca.key': await ca.key(), 'tls.crt': ca.certificate, 'tls.key': await ca.key() }),
      this.secret(`${TENANT}-admin-kubeconfig`, {
        'super-admin.svc': JSON.stringify({
          'apiVersion': 'v1',
          'kind': 'Config',
          'clusters': [{ name: 'tenant', cluster: { 'server': `https://127.0.0.1:${tenant.port}`, 'certificate-authority-data': base64(trusted) } }],
          'users': [{ name: 'admin', user: { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) } }],
          'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
          'current-context': 'admin',
        }),
      }),
    ]);
  }

  /** Starts sync with the arguments and the permissions of the manifests. */
  public async startSync(name: string, healthPort: number, ...flags: string[]): Promise<Agent> {
    return new Agent(await this.syncArgs(name, healthPort, ...flags));
  }

  /** What starts it, as often as one likes. */
  public async syncArgs(name: string, healthPort: number, ...flags: string[]): Promise<string[]> {
    const deployment = await this.cluster.get('deployment', this.namespace, this.namespace);
    const folder = mkdtempSync(join(tmpdir(), 'sync-'));
    writeFileSync(join(folder, 'token'), await this.cluster.token(this.namespace, this.namespace));
    return [
      ...deployment.spec.template.spec.containers[0].args.filter((arg: string) => !arg.startsWith('--health-address=')),
      `--namespace=${this.namespace}`,
      `--pod-name=${name}`,
      `--api-server=https://127.0.0.1:${this.cluster.port}`,
      `--ca-file=${this.cluster.caFile}`,
      `--token-file=${join(folder, 'token')}`,
      `--health-address=127.0.0.1:${healthPort}`,
      '--resync-interval=2s',
      ...flags,
    ];
  }

  /** What sync says of the tenant. */
  public async status(): Promise<any> {
    return (await this.cluster.get('configmap', this.namespace, `${TENANTS}.${TENANT}-status`))?.data;
  }

  public async synced(sync: Agent, deadlineMs = 60_000): Promise<void> {
    const bundle = await this.cluster.get('configmap', this.namespace, `${TENANTS}.${TENANT}`);
    const { checksum } = JSON.parse(bundle.data['tenant.json']);
    await eventually(async () => {
      const status = JSON.stringify(await this.status());
      if (!status?.includes('Synced') || !status.includes(checksum)) {
        throw new Error(`${status}\n${sync.output}`);
      }
      return true;
    }, deadlineMs);
  }

  /** Removes the bundle, as `kubectl apply --prune` does. */
  public async removeBundle(): Promise<void> {
    await this.cluster.kubectl(['delete', 'configmaps', '--namespace', this.namespace, '--selector=app.kubernetes.io/name=tenant-bundle']);
  }

  private secret(name: string, stringData: { [key: string]: string }): object {
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: TENANTS }, stringData };
  }
}
