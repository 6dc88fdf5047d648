import { listening } from './listening';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';

/** An entry point in the values of the chart. */
export interface EntryPoint {
  readonly port: number;
  readonly exposedPort: number;
  readonly expose: { readonly default: boolean };
  readonly asDefault?: boolean;
}

/** Those of the chart (traefik/traefik-helm-chart, `traefik/values.yaml`). */
const OF_CHART: { [name: string]: EntryPoint } = {
  web: { port: 8000, exposedPort: 80, expose: { default: true } },
  websecure: { port: 8443, exposedPort: 443, expose: { default: true } },
  traefik: { port: 8080, exposedPort: 8080, expose: { default: false } },
  metrics: { port: 9100, exposedPort: 9100, expose: { default: false } },
};

/** The entry points of an installation by its chart. */
export class EntryPoints {
  private readonly all: [name: string, entryPoint: EntryPoint][];

  /** @param values what is given to the chart as `ports` */
  public constructor(values: { [name: string]: Partial<EntryPoint> }) {
    const names = new Set([...Object.keys(OF_CHART), ...Object.keys(values)]);
    this.all = [...names].map(name => [name, { ...OF_CHART[name], ...values[name] } as EntryPoint]);
  }

  /** Where the pods listen for a public port. */
  public portOf(publicPort: number): number {
    return this.exposed.find(([, { exposedPort }]) => exposedPort === publicPort)![1].port;
  }

  public get ports(): number[] {
    return this.all.map(([, { port }]) => port);
  }

  public get flags(): string[] {
    return [
      ...this.all.map(([name, { port }]) => `--entryPoints.${name}.address=:${port}/tcp`),
      ...this.all.filter(([, { asDefault }]) => asDefault).map(([name]) => `--entryPoints.${name}.asDefault=true`),
      '--entryPoints.websecure.http.tls=true',
    ];
  }

  /** The Service that the chart makes of them. */
  public get service(): object {
    const ports = this.exposed.map(([name, { exposedPort }]) => ({ name, port: exposedPort, targetPort: name, protocol: 'TCP' }));
    return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'traefik', namespace: 'default' }, spec: { ports } };
  }

  private get exposed(): [name: string, entryPoint: EntryPoint][] {
    return this.all.filter(([, { expose }]) => expose.default);
  }
}

/** Runs Traefik as its chart does. */
export async function startTraefik(program: string, cluster: Cluster, entryPoints: EntryPoints, providers: string[]): Promise<void> {
  await cluster.apply([entryPoints.service]);
  const traefik = new Process('env', [
    `KUBECONFIG=${cluster.file('admin.conf')}`, program, ...entryPoints.flags, ...providers,
    '--log.level=INFO', '--global.checkNewVersion=false', '--global.sendAnonymousUsage=false',
  ], { cwd: cluster.folder });
  for (const port of entryPoints.ports) await listening(traefik, port);
}
