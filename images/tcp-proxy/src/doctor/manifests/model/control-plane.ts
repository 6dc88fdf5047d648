import { Host } from './host';
import { Route } from './route';
import { Source } from '../documents';
import { Field } from '../fields';

/** A control plane as its custom resource describes it, whatever the system. */
export interface ControlPlane {
  readonly source: Source;
  readonly system: 'Kamaji' | 'Steward' | 'k0smotron' | 'k0rdent' | 'HyperShift';
  /** How the outside reaches it: what its operator sets up for that. */
  readonly exposure: 'ingress' | 'gateway' | 'none';
  readonly api?: Host;
  readonly konnectivity: Konnectivity;
  /** Behind which the control plane's pods are; undefined where its name cannot be told from the manifests. */
  readonly service?: ControlPlaneService;
  /** SANs that the manifest lists; undefined where the operator derives them from the hosts. */
  readonly sans?: Field<string[]>;
  readonly apiServerArgs: Field<string[]>;
  /** Whether the operator sets `--endpoint-reconciler-type=none` and runs something in the tenant that takes its place. */
  readonly operatorOwnsEndpoints: boolean;
  /** Routes that the operator makes. */
  readonly operatorRoutes: Route[];
}

export interface Konnectivity {
  readonly enabled: boolean;
  /** What agents dial; undefined where nothing says so. */
  readonly host?: Host;
  readonly port?: Field<number>;
  /** The operator derives the host from that of the API. */
  readonly derived?: boolean;
}

export interface ControlPlaneService {
  readonly namespace: string;
  readonly name: string;
  readonly apiPort: number;
  readonly konnectivityPort: number;
}
