import { readdirSync, readFileSync } from 'fs';
import { Agent, request } from 'https';
import { join } from 'path';
import { Yaml } from 'cdk8s';
import { Cluster } from './cluster';
import { eventually } from '../../data-path/support/eventually';

const IMPORTS = join(__dirname, '..', '..', '..', 'imports');
/** Kinds of routes of which this project has no definition: these take whatever is written. */
const FREE_KINDS: [group: string, versions: string, kind: string, plural: string][] = [
  ['traefik.io', 'v1alpha1', 'IngressRoute', 'ingressroutes'],
  ['traefik.containo.us', 'v1alpha1', 'IngressRouteTCP', 'ingressroutetcps'],
  ['k8s.nginx.org', 'v1', 'VirtualServer', 'virtualservers'],
  ['k8s.nginx.org', 'v1', 'VirtualServerRoute', 'virtualserverroutes'],
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
  ['gateway.networking.k8s.io', 'v1', 'GRPCRoute', 'grpcroutes'],
  ['gateway.networking.k8s.io', 'v1 v1alpha2', 'TCPRoute', 'tcproutes'],
  ['gateway.networking.k8s.io', 'v1', 'ListenerSet', 'listenersets'],
  ['networking.istio.io', 'v1', 'ServiceEntry', 'serviceentries'],
  // What is imported knows routes of TLS alone.
  ['networking.istio.io', 'v1', 'VirtualService', 'virtualservices'],
];
const BUILT_IN: { [kind: string]: string } = { Service: 'services', Ingress: 'ingresses' };

/** Definitions of the kinds of routes: those of the kinds that this library writes, and free ones of others. */
export function routeDefinitions(): any[] {
  const real = readdirSync(IMPORTS).flatMap(file => Yaml.load(join(IMPORTS, file)))
    .filter(({ spec }) => /^(traefik\.io|k8s\.nginx\.org|gateway\.networking\.k8s\.io|route\.openshift\.io|projectcontour\.io|networking\.istio\.io|externaldns\.k8s\.io)$/.test(spec.group));
  const free = FREE_KINDS.map(([group, versions, kind, plural]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: versions.split(' ').map((name, i) => ({
        name, served: true, storage: i === 0, schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
    },
  }));
  const isFree = (of: any) => free.some(({ metadata }) => metadata.name === of.metadata.name);
  return [...real.filter(definition => !isFree(definition)), ...free].map(definition =>
    ({ ...definition, metadata: { ...definition.metadata, annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } } }));
}

/** What an API server says to objects, without kubectl between: hundreds of them in a second. */
export class Admission {
  private readonly agent: Agent;
  private readonly plurals = new Map<string, string>();

  public constructor(private readonly cluster: Cluster) {
    this.agent = new Agent({
      keepAlive: true,
      maxSockets: 4,
      ca: readFileSync(cluster.caFile),
      cert: readFileSync(cluster.file('admin.crt')),
      key: readFileSync(cluster.file('admin.key')),
    });
  }

  /** Installs the kinds of routes. */
  public async install(): Promise<void> {
    const definitions = routeDefinitions();
    await this.cluster.apply(definitions, '--server-side');
    for (const { spec } of definitions) this.plurals.set(`${spec.group}/${spec.names.kind}`, spec.names.plural);
    await this.cluster.kubectl(['wait', '--for=condition=Established', '--timeout=60s', ...definitions.map(({ metadata }) => `crd/${metadata.name}`)]);
    // Established is a moment before served.
    await eventually(async () => (await Promise.all(definitions.map(({ spec }) => this.send('GET',
      `/apis/${spec.group}/${spec.versions[0].name}/namespaces/default/${spec.names.plural}`)))).every(answer => answer === undefined), 30_000);
  }

  /** Whether it is a kind of route, or one that may have names of routes. */
  public knows(apiVersion: string, kind: string): boolean {
    return BUILT_IN[kind] !== undefined || this.plurals.has(`${apiVersion.split('/')[0]}/${kind}`);
  }

  /** Why an object would be refused; undefined when it would be accepted. Nothing is stored. */
  public async tries(object: any): Promise<string | undefined> {
    return this.send('POST', `${this.collection(object)}?dryRun=All`, object);
  }

  /** The same, and what is accepted is stored. */
  public async creates(object: any): Promise<string | undefined> {
    return this.send('POST', this.collection(object), object);
  }

  /** Why a merge patch is refused. */
  public async patches(object: any, patch: object): Promise<string | undefined> {
    return this.send('PATCH', `${this.collection(object)}/${object.metadata.name}`, patch);
  }

  public async deletes(object: any): Promise<string | undefined> {
    return this.send('DELETE', `${this.collection(object)}/${object.metadata.name}`);
  }

  private collection({ apiVersion, kind, metadata }: any): string {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const plural = BUILT_IN[kind] ?? this.plurals.get(`${group}/${kind}`);
    return `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${metadata.namespace}/${plural}`;
  }

  private send(method: string, path: string, body?: object): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      request({
        agent: this.agent,
        host: '127.0.0.1',
        port: this.cluster.port,
        method,
        path,
        headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
      }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', part => text += part).on('error', reject).on('end', () =>
          resolve(response.statusCode! < 300 ? undefined : text.startsWith('{') ? JSON.parse(text).message as string : text));
      }).on('error', reject).end(body && JSON.stringify(body));
    });
  }
}
