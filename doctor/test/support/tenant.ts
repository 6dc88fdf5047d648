import { ApiServer, startKonnectivityServer } from './control-plane';
import { DnsServer } from '../../../test/data-path/support/dns-server';
import { CertificateAuthority, IssueOptions } from '../../../test/support/certificates';
import { diagnose } from '../../src/live/diagnose';
import { HopName, HopResult } from '../../src/live/hop';
import { Target } from '../../src/live/target';

const IN_CLUSTER_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];

export interface TenantOptions {
  /** Of both servers, as konnectivity servers often show that of the API server. */
  readonly certificate?: Partial<IssueOptions>;
  /** What ALPN of the API server may choose. */
  readonly protocols?: string[];
  /** What ALPN of the konnectivity server may choose. */
  readonly konnectivityProtocols?: string[];
}

/** A control plane with its CA, an API server and a konnectivity server on loopback. */
export class Tenant {
  public static async create(name: string, options: TenantOptions = {}): Promise<Tenant> {
    const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
    const tenant = new Tenant(name, ca);
    const pair = await ca.issue({
      commonName: 'kube-apiserver',
      sans: [tenant.host, tenant.konnectivityHost, ...IN_CLUSTER_NAMES],
      keyType: 'ecdsa',
      ...options.certificate,
    });
    tenant.api = await ApiServer.start(pair, options.protocols);
    tenant.konnectivityPort = (await startKonnectivityServer(pair, options.konnectivityProtocols)).port;
    return tenant;
  }

  public api!: ApiServer;
  public konnectivityPort!: number;
  public readonly host: string;
  public readonly konnectivityHost: string;

  private constructor(name: string, public readonly ca: CertificateAuthority) {
    this.host = `${name}.k8s.example.com`;
    this.konnectivityHost = `${name}.konnectivity.example.com`;
  }

  /** Both hosts, led to the right ports. */
  public get routes(): { [host: string]: number } {
    return { [this.host]: this.api.port, [this.konnectivityHost]: this.konnectivityPort };
  }
}

/** What the doctor says about a tenant behind the port. */
export class Examination {
  public static async of(tenant: Tenant, port: number, changes: Partial<Target> = {}): Promise<Examination> {
    const dns = await DnsServer.start();
    const target: Target = {
      host: tenant.host,
      port,
      serverName: tenant.host,
      ca: tenant.ca.certificate,
      sans: [],
      konnectivity: { host: tenant.konnectivityHost, port },
      resolver: `127.0.0.1:${dns.port}`,
      // For what is refused or answered at once; tests of silence set their own.
      timeoutMs: 10_000,
      ...changes,
    };
    for (const host of [target.host, target.konnectivity?.host]) {
      if (host) dns.records.set(host, ['127.0.0.1']);
    }
    return new Examination((await diagnose(target)).results);
  }

  private constructor(public readonly results: HopResult[]) {}

  public hop(name: HopName): HopResult {
    return this.results.find(({ hop }) => hop === name)!;
  }

  public get failed(): HopName[] {
    return this.results.filter(({ status }) => status === 'failed').map(({ hop }) => hop);
  }

  public get statuses(): { [hop: string]: string } {
    return Object.fromEntries(this.results.map(({ hop, status }) => [hop, status]));
  }
}
