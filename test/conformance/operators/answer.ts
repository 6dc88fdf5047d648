import { X509Certificate } from 'crypto';
import { isIP } from 'net';
import { load } from 'js-yaml';

/** What an operator made of one custom resource: names, ports and flags, of which this library claims to know some. */
export interface OperatorAnswer {
  /** `Kind/name` of every object, sorted. */
  readonly objects: string[];
  readonly services: { readonly [name: string]: AnsweredService };
  /** Labels of the pods of each workload, without checksums. */
  readonly podLabels: { readonly [workload: string]: { readonly [label: string]: string } };
  /** Arguments of each container that has any, sorted, without those of etcd, which is no part of an exposure. */
  readonly args: { readonly [container: string]: string[] };
  /** Keys of each Secret. */
  readonly secrets: { readonly [name: string]: string[] };
  /** Keys of each ConfigMap. */
  readonly configMaps: { readonly [name: string]: string[] };
  /** What k0s is to run, where it is k0s, without its storage. */
  readonly k0s?: { readonly api: any; readonly konnectivity: any; readonly network: any };
  /** Names and addresses of each certificate, by `Secret/key`. */
  readonly sans: { readonly [secretKey: string]: string[] };
  /** Server of each kubeconfig, by `Secret/key`. */
  readonly servers: { readonly [secretKey: string]: string };
  readonly routes: AnsweredRoute[];
}

export interface AnsweredService {
  readonly type: string;
  readonly selector: { readonly [label: string]: string };
  /** Port by name. */
  readonly ports: { readonly [name: string]: number };
  /** @default - it has none */
  readonly annotations?: { readonly [name: string]: string };
}

/** An Ingress or a TLSRoute. */
export interface AnsweredRoute {
  readonly kind: string;
  readonly name: string;
  /** Class of the Ingress, or `namespace/name/section` of the Gateway. */
  readonly at: string;
  readonly annotations: { readonly [name: string]: string };
  readonly hosts: string[];
  /** `Service:port`. */
  readonly backends: string[];
}

/**
 * Reads what an operator made in a namespace; its objects may be in any order. An operator that runs many cases at once has a namespace for each.
 *
 * @param meant the namespace that stands for it in the answer
 */
export function answerOf(objects: any[], namespace: string, meant: string): OperatorAnswer {
  const of = (...kinds: string[]) => objects.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => compare(a.metadata.name, b.metadata.name));
  const named = <T>(list: any[], value: (object: any) => T) => Object.fromEntries(list.map(object => [object.metadata.name, value(object)]));
  const workloads = of('Deployment', 'StatefulSet');
  const secretTexts = of('Secret').flatMap(({ metadata, data = {} }) =>
    Object.keys(data).sort().map(key => [`${metadata.name}/${key}`, Buffer.from(data[key], 'base64').toString()] as const));
  const answer: OperatorAnswer = {
    objects: objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort(compare),
    services: named(of('Service'), ({ metadata, spec }) => ({
      type: spec.type,
      selector: spec.selector ?? {},
      ports: Object.fromEntries(spec.ports.map(({ name = '', port }: any) => [name, port])),
      ...metadata.annotations && { annotations: annotationsOf(metadata) },
    })),
    podLabels: named(workloads, ({ spec: { template } }) => withoutChecksums(template.metadata.labels)),
    args: Object.fromEntries(workloads.flatMap(({ spec }) => spec.template.spec.containers)
      .filter(({ args = [] }: any) => args.length > 0).map(({ name, args }: any) => [name, args.filter((arg: string) => !arg.startsWith('--etcd-')).sort(compare)])),
    secrets: named(of('Secret'), keysOf),
    configMaps: named(of('ConfigMap'), keysOf),
    k0s: k0sOf(of('ConfigMap')),
    sans: Object.fromEntries(secretTexts.filter(([, text]) => text.startsWith('-----BEGIN CERTIFICATE'))
      .map(([key, text]) => [key, sansOf(text)]).filter(([, sans]) => sans.length > 0)),
    servers: Object.fromEntries(secretTexts.filter(([, text]) => /^kind: Config$/m.test(text))
      .map(([key, text]) => [key, (load(text) as any).clusters[0].cluster.server])),
    routes: [...of('Ingress').map(ingress), ...of('TLSRoute').map(tlsRoute)],
  };
  return JSON.parse(withoutAllocations(JSON.stringify(answer), of('Service')).split(namespace).join(meant));
}

function keysOf({ data = {} }: any): string[] {
  return Object.keys(data).sort(compare);
}

/** Of the configuration that k0smotron gives to k0s. */
function k0sOf(configMaps: any[]): OperatorAnswer['k0s'] {
  const [text] = configMaps.map(({ data = {} }) => data.K0SMOTRON_K0S_YAML).filter(Boolean);
  if (text === undefined) {
    return undefined;
  }
  const { spec: { api, konnectivity, network } } = load(text) as any;
  return { api, konnectivity, network };
}

/** Addresses that the management cluster chose. */
function withoutAllocations(text: string, services: any[]): string {
  return services.filter(({ spec }) => isIP(spec.clusterIP)).reduce((result, { metadata, spec }) =>
    result.replace(new RegExp(`(?<![\\d.])${spec.clusterIP.replace(/\./g, '\\.')}(?![\\d.])`, 'g'), `ClusterIP of ${metadata.name}`), text);
}

function withoutChecksums(labels: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => !/^[0-9a-f]{32,}$/.test(value)));
}

function ingress({ metadata, spec }: any): AnsweredRoute {
  return {
    kind: 'Ingress',
    name: metadata.name,
    at: spec.ingressClassName ?? '',
    annotations: annotationsOf(metadata),
    hosts: spec.rules.map(({ host }: any) => host),
    backends: spec.rules.flatMap(({ http }: any) => http.paths).map(({ backend: { service: { name, port } } }: any) => `${name}:${port.number ?? port.name}`),
  };
}

function tlsRoute({ metadata, spec }: any): AnsweredRoute {
  return {
    kind: 'TLSRoute',
    name: metadata.name,
    at: spec.parentRefs.map(({ namespace, name, sectionName, port }: any) => [namespace, name, sectionName ?? port].join('/')).join(' '),
    annotations: annotationsOf(metadata),
    hosts: spec.hostnames,
    backends: spec.rules.flatMap((rule: any) => rule.backendRefs).map(({ name, port }: any) => `${name}:${port}`),
  };
}

function annotationsOf({ annotations = {} }: any): { [name: string]: string } {
  return Object.fromEntries(Object.entries<string>(annotations).filter(([name]) => !name.startsWith('kubectl.kubernetes.io/')).sort());
}

function sansOf(certificate: string): string[] {
  const names = new X509Certificate(certificate).subjectAltName?.split(', ') ?? [];
  return names.map(name => name.replace(/^(DNS|IP Address):/, '')).sort(compare);
}

/** Not by locale, which differs from machine to machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
