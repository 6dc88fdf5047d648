import { Field } from './fields';
import { Host } from './host';
import { Route } from './route';
import { Source } from './source';

/** A control plane as its custom resource describes it, whatever the system. */
export interface ControlPlane {
  readonly source: Source;
  /** `Kamaji`, `Steward`, `k0smotron`, `k0rdent` or `HyperShift`; the platform's own name where the resource describes itself. */
  readonly system: string;
  /** Whether it is read by what it says of itself. */
  readonly described?: boolean;
  /** How the outside reaches it: what its operator sets up for that. */
  readonly exposure: 'ingress' | 'gateway' | 'none';
  readonly api?: Host;
  /** Where clients reach the API by a port that leads to it alone, whatever name they ask for. */
  readonly apiByPort?: OwnPort;
  /** Where clients reach the API; undefined where the manifest does not say. */
  readonly publicPort?: Field<number>;
  readonly konnectivity: Konnectivity;
  /** Behind which the control plane's pods are; undefined where its name cannot be told from the manifests. */
  readonly service?: ControlPlaneService;
  /** Names that the certificate is to carry, as the manifest tells; undefined where it does not, because the operator alone knows. */
  readonly sans?: Field<string[]>;
  /** Undefined where the manifest does not say what flags the API server has. */
  readonly apiServerArgs?: Field<string[]>;
  /** What the API server is told to advertise in `default/kubernetes`. */
  readonly advertiseAddress?: Field<string>;
  /** Whether the operator sets `--endpoint-reconciler-type=none`. */
  readonly operatorOwnsEndpoints: boolean;
  /** The operator's own tcp-proxy in the tenant, unless the manifest takes it out. */
  readonly operatorProxy?: OperatorProxy;
  /** Servers that have a host and a Service of their own, beside those of the API and konnectivity. */
  readonly furtherServers?: Server[];
  /** Ports that it takes on every node of the management cluster. */
  readonly nodePorts: Field<number>[];
  /** Routes that the operator makes. */
  readonly operatorRoutes: Route[];
}

export interface OwnPort {
  readonly host: Host;
  readonly port: number;
}

export interface Konnectivity {
  readonly enabled: boolean;
  /** What agents dial; undefined where nothing says so. */
  readonly host?: Host;
  readonly port?: Field<number>;
  /** The operator derives the host from that of the API. */
  readonly derived?: boolean;
  /** Where agents reach it by a port that leads to it alone. */
  readonly byPort?: OwnPort;
  /** Arguments of the agents that the manifest sets, where it has such a field. */
  readonly agentArgs?: Field<string[]>;
}

export interface OperatorProxy {
  readonly name: string;
  /** What switches it on. */
  readonly path: string;
  /** How to take it out. */
  readonly remedy: string;
}

export interface ControlPlaneService {
  readonly namespace: string;
  readonly name: string;
  /** Where konnectivity has a Service of its own. @default - `name` */
  readonly konnectivityName?: string;
  readonly apiPort: number;
  /** Whether `apiPort` is the operator's default only because what may say otherwise is not among the manifests. */
  readonly apiPortAssumed?: boolean;
  readonly konnectivityPort: number;
  /** Of servers that are no others' than the user's, e.g. sidecars. */
  readonly furtherPorts?: number[];
}

/** A server of a control plane: the host that clients ask for and where that must lead. */
export interface Server {
  readonly title: string;
  readonly host?: Host;
  readonly namespace: string;
  /** Any of them. */
  readonly services: string[];
  readonly port: number;
  /** Where nothing says its port, those that it cannot have, as other servers have them. */
  readonly portsOfOthers?: number[];
}

/** Whether nothing says that a server is not at a port of its Service. */
export function mayBeAt({ port, portsOfOthers }: Server, wanted: number): boolean {
  return port === wanted || (portsOfOthers !== undefined && !portsOfOthers.includes(wanted));
}

/** The servers whose Service is known. */
export function serversOf({ api, konnectivity, service, furtherServers = [] }: ControlPlane): Server[] {
  if (service === undefined) return furtherServers;
  const { namespace, name, konnectivityName = name, apiPort, apiPortAssumed, konnectivityPort, furtherPorts = [] } = service;
  const portsOfOthers = apiPortAssumed ? [konnectivityPort, ...furtherPorts] : undefined;
  return [
    { title: 'API server', host: api, namespace, services: [name], port: apiPort, portsOfOthers },
    { title: 'konnectivity server', host: konnectivity.host, namespace, services: [konnectivityName], port: konnectivityPort },
    ...furtherServers,
  ];
}

/** The host that clients are told, whatever leads it to the API server. */
export function apiHostOf({ api, apiByPort }: ControlPlane): string | undefined {
  return (api ?? apiByPort?.host)?.host;
}

/** The host that konnectivity agents are told. */
export function konnectivityHostOf({ konnectivity: { host, byPort } }: ControlPlane): string | undefined {
  return (host ?? byPort?.host)?.host;
}
