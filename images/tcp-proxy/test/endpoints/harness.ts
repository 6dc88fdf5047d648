import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { EndpointsController, EndpointsOptions } from '../../src/endpoints';
import { issueCertificate, ServingCertificate } from '../support/fake-api/certificates';
import { FakeApiServer } from '../support/fake-api/fake-api-server';
import { AnyObject } from '../support/fake-api/object-store';

/** Longest wait for a condition: generous, because a busy machine is slow and a failure is rare. */
const PATIENCE_MS = 15_000;
jest.setTimeout(2 * PATIENCE_MS);

export const POD_NAMESPACE = 'kube-system';
const POD_SELECTOR = 'app.kubernetes.io/name=tcp-proxy';

/** A proxy pod as the API server shows it. */
export interface Pod {
  readonly name: string;
  readonly hostIps: readonly string[];
  readonly ready?: boolean;
  readonly terminating?: boolean;
}

/** A controller with its registry. */
export interface Proxy {
  readonly controller: EndpointsController;
  counter(name: string): Promise<number>;
}

/** A fake API server and the controllers of one test. */
export class Harness {
  readonly api: FakeApiServer;
  readonly certificate: ServingCertificate = issueCertificate('localhost');
  readonly caFile: string;
  readonly tokenFile: string;
  /** What the controllers logged at level warn or above. */
  readonly warnings: Record<string, unknown>[] = [];
  private readonly dir = mkdtempSync(join(tmpdir(), 'endpoints-'));
  private readonly proxies: Proxy[] = [];

  constructor() {
    this.api = new FakeApiServer(POD_NAMESPACE, this.certificate);
    this.caFile = join(this.dir, 'ca.crt');
    this.tokenFile = join(this.dir, 'token');
    writeFileSync(this.caFile, this.certificate.ca);
    writeFileSync(this.tokenFile, 'token-1\n');
    this.service(['IPv4']);
  }

  /** Starts a controller; its pod is put with `pod`. */
  async proxy(name: string, hostIps: string[], options: Partial<EndpointsOptions> = {}): Promise<Proxy> {
    const registry = new Registry();
    const controller = new EndpointsController({
      apiServer: this.api.url,
      caFile: this.caFile,
      tokenFile: this.tokenFile,
      namespace: POD_NAMESPACE,
      podName: name,
      hostIps,
      podSelector: POD_SELECTOR,
      endpointPort: 6443,
      advertiseAddresses: [],
      logger: pino({ level: 'warn' }, { write: (line) => this.warnings.push(JSON.parse(line)) }),
      registry,
      ...options,
    });
    const proxy: Proxy = {
      controller,
      counter: async (metric) => (await registry.getSingleMetric(metric)!.get()).values.reduce((sum, { value }) => sum + value, 0),
    };
    this.proxies.push(proxy);
    await controller.start();
    return proxy;
  }

  /** What the kubelet and the administrator do to a proxy pod. */
  pod({ name, hostIps, ready = false, terminating = false }: Pod): void {
    this.api.store.put('pods', {
      metadata: {
        name,
        labels: { 'app.kubernetes.io/name': 'tcp-proxy' },
        ...(terminating ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      },
      status: {
        phase: 'Running',
        hostIP: hostIps[0],
        hostIPs: hostIps.map((ip) => ({ ip })),
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      },
    });
  }

  service(ipFamilies: string[]): void {
    this.api.store.put('services', { metadata: { name: 'kubernetes' }, spec: { ipFamilies } });
  }

  endpoints(): AnyObject | undefined {
    return this.api.store.get('endpoints', 'kubernetes');
  }

  slice(name = 'kubernetes'): AnyObject | undefined {
    return this.api.store.get('endpointslices', name);
  }

  sliceNames(): string[] {
    return this.api.store.list('endpointslices').map(({ metadata }) => metadata.name).sort();
  }

  /** Addresses of the Endpoints and of the slice `kubernetes`, when both agree. */
  addresses(): string[] | undefined {
    const legacy: string[] | undefined = this.endpoints()?.subsets?.[0]?.addresses?.map(({ ip }: { ip: string }) => ip);
    const sliced: string[] | undefined = this.slice()?.endpoints?.flatMap(({ addresses }: { addresses: string[] }) => addresses);
    return legacy?.join() === sliced?.join() ? legacy : undefined;
  }

  async published(...addresses: string[]): Promise<void> {
    await until(`${addresses} are published`, () => this.addresses()?.join() === addresses.join());
  }

  async inSync(proxy: Proxy): Promise<void> {
    await until('the controller is in sync', async () => await proxy.counter('tcp_proxy_endpoints_in_sync') === 1);
  }

  async close(): Promise<void> {
    await Promise.all(this.proxies.map(async ({ controller }) => controller.stop()));
    await this.api.stop();
    rmSync(this.dir, { recursive: true });
  }
}

/** Waits for a condition; fails when it does not come true in time. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
